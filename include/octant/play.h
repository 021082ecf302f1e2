// SPDX-License-Identifier: MIT
/// \file
/// liboctant_play: worlds, games, agents, playing a test, and reports.
#ifndef OCTANT_PLAY_H
#define OCTANT_PLAY_H

#include "octant/agent.h"
#include "octant/belief.h"
#include "octant/block_world.h"
#include "octant/flight.h"
#include "octant/game.h"
#include "octant/game_parts.h"
#include "octant/goal.h"
#include "octant/links.h"
#include "octant/ltl.h"
#include "octant/message.h"
#include "octant/play_test.h"
#include "octant/proof.h"
#include "octant/recruits_level.h"
#include "octant/recruits_world.h"
#include "octant/report.h"
#include "octant/tactics.h"
#include "octant/world.h"
#include "octant/world_check.h"

#endif
