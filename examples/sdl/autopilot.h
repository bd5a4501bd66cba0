/* autopilot.h: a player who is no person: the peer of a practice duel, and the player of a run without anybody. It
 * answers for the player and nothing else; the match itself is the AI's. */
#ifndef AUTOPILOT_H
#define AUTOPILOT_H

#include "phone.h"

struct autopilot {
    int rematches;        /* to play after the first match; -1: for as long as it is asked to */
    bool started;         /* its first duel */
    uint64_t covered_us;  /* since when a cover waits for a tap; 0: none does */
    uint64_t settled_us;  /* since when the end is settled */
};

void autopilot_tick(struct autopilot *pilot, struct phone *phone);

#endif
