// SPDX-License-Identifier: MIT
/// \file
/// liboctant for engine programmers: maps, a planner, an explorer, a crowd.
///
/// Included by name where needed: octant/tree.h (the octree itself), octant/line.h (line of sight),
/// octant/components.h, octant/formats.h (maps from and to bytes), octant/watch.h (paths that are
/// watched), octant/names.h (words for enumerations). The other libraries have umbrella headers of
/// their own: octant/play.h, octant/files.h, octant/lab.h.
#ifndef OCTANT_OCTANT_H
#define OCTANT_OCTANT_H

#include "octant/base.h"
#include "octant/body.h"
#include "octant/crowd.h"
#include "octant/explore.h"
#include "octant/geom.h"
#include "octant/graph.h"
#include "octant/map.h"
#include "octant/mesh.h"
#include "octant/search.h"

#endif
