// SPDX-License-Identifier: MIT
// What links take over from the lives before.
#ifndef OCTANT_LINKS_RECALL_H
#define OCTANT_LINKS_RECALL_H

#include "agent/history.h"
#include "octant/links.h"

// Tells links, which know of no press yet, what was pressed and seen in all lives of a history
// before the one that is being played.
oct_result oct_links_recall(oct_links *links, const oct_history *history);

#endif
