// SPDX-License-Identifier: MIT
// Stands in where the page was not built, for want of npm.
#include "view/page.h"

#ifndef OCTANT_HAS_PAGE
const view_file oct_view_files[1];
const size_t oct_view_file_count = 0;
#endif
