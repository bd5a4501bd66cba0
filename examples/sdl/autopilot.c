/* autopilot.c: see autopilot.h. */
#include "autopilot.h"

static const uint64_t TAPS_AFTER_US = 1000000; /* what a person needs to read a cover, before a tap on it */
static const uint64_t READS_US = 4000000;      /* how long it looks at a report */

static void in_duel(struct autopilot *pilot, struct phone *phone)
{
    if (phone_offer(phone).plan != DUEL_NONE) {
        phone_leave_for(phone, GOING_OTHER_PLAN);
    } else if (phone->status.phase == DUEL_PHASE_LOBBY) {
        pilot->settled_us = 0;
        if (phone->status.pairing == DUEL_PAIRING_PICKING) {
            for (int32_t opener = 0; opener < 3; opener++) /* the first that is taken; the rest change nothing */
                phone_pick(phone, opener);
        }
    } else if (phone_is_over(phone) && phone->status.settled) {
        if (!pilot->settled_us)
            pilot->settled_us = phone->now_us;
        if (phone->now_us - pilot->settled_us < READS_US)
            return;
        pilot->settled_us = 0;
        phone_leave_for(phone, pilot->rematches ? GOING_REMATCH : GOING_MENU);
        if (pilot->rematches > 0)
            pilot->rematches--;
    }
}

void autopilot_tick(struct autopilot *pilot, struct phone *phone)
{
    bool covered = phone->rig
                   && (phone->rig_status.state == DUEL_RIG_IS_LOST || phone->rig_status.state == DUEL_RIG_IS_TAP_TO_START);
    if (!covered)
        pilot->covered_us = 0;
    else if (!pilot->covered_us)
        pilot->covered_us = phone->now_us;
    else if (phone->now_us - pilot->covered_us >= TAPS_AFTER_US) {
        pilot->covered_us = 0;
        phone_tap(phone);
    }
    if (phone->stage == STAGE_MENU && (!pilot->started || pilot->rematches < 0)) {
        pilot->started = true;
        phone_start(phone);
    } else if (phone->stage == STAGE_FAILED && pilot->rematches < 0) {
        phone_back(phone); /* who plays one duel reports why there is none, instead of trying for ever */
    } else if (phone->stage == STAGE_DUEL && phone->going == GOING_NOWHERE) {
        in_duel(pilot, phone);
    }
}
