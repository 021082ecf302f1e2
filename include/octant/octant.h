// SPDX-License-Identifier: MIT
/// \file
/// All of Octant's public interface.
#ifndef OCTANT_OCTANT_H
#define OCTANT_OCTANT_H

#include "octant/agent.h"
#include "octant/base.h"
#include "octant/belief.h"
#include "octant/block_world.h"
#include "octant/body.h"
#include "octant/components.h"
#include "octant/crowd.h"
#include "octant/explore.h"
#include "octant/flight.h"
#include "octant/formats.h"
#include "octant/game.h"
#include "octant/geom.h"
#include "octant/goal.h"
#include "octant/graph.h"
#include "octant/links.h"
#include "octant/ltl.h"
#include "octant/map.h"
#include "octant/message.h"
#include "octant/search.h"
#include "octant/tactics.h"
#include "octant/tree.h"
#include "octant/watch.h"
#include "octant/world.h"

#endif
