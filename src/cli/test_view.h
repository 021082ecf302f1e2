// SPDX-License-Identifier: MIT
// octant test --view: a page that shows tests while they are played.
#ifndef OCTANT_CLI_TEST_VIEW_H
#define OCTANT_CLI_TEST_VIEW_H

#include "cli/test.h"

typedef struct test_view test_view;

// Serves a page with a replay of each test that is to be played, prints its address, and waits
// until a page asks for the first of them. Complains where it fails; *out is then NULL. Also where
// a signal came first.
int oct_test_view_open(const test_session *session, test_view **out);

// Goes on serving until the page is closed, or a signal comes. NULL is allowed.
void oct_test_view_close(test_view *view);

// What is written of a test is appended to its replay: an oct_write_fn, whose context this gives.
void *oct_test_view_of(test_view *view, size_t test);
bool oct_test_view_write(void *ctx, const void *data, size_t size);

#endif
