// SPDX-License-Identifier: MIT
// Whether every invariant of a structure holds. Each walks everything; false also where it cannot
// get memory for its books.
#ifndef OCTANT_TESTS_VALID_H
#define OCTANT_TESTS_VALID_H

#include "explore/frontier.h"
#include "octant/components.h"
#include "octant/crowd.h"
#include "octant/links.h"
#include "octant/map.h"
#include "octant/tree.h"
#include "octant/watch.h"

bool oct_tree_is_valid(const oct_tree *tree);
bool oct_map_is_valid(const oct_map *map);
struct thing_index;
bool oct_things_valid(const struct thing_index *index); // map/things.h
bool oct_components_is_valid(const oct_components *components);
bool oct_frontier_is_valid(const oct_frontier *frontier);

// Of the modules themselves, since they look at what is static there.
bool oct_crowd_is_valid(const oct_crowd *crowd);
bool oct_watch_is_valid(const oct_watch *watch);
bool oct_links_is_valid(const oct_links *links);

#endif
