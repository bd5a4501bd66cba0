/* tell.h: what happens, in lines: for a person, or of JSON for a program. */
#ifndef TELL_H
#define TELL_H

#include "autopilot.h"

struct teller {
    bool json;
    bool lines; /* without --json: a line for a person; otherwise nothing at all */
    char last[6][320]; /* what was said last of each thing */
    uint64_t told_at_us;
    uint32_t reconnects; /* times the sound link was lost and came back */
    int reports, in_sync; /* matches that were reported, and those that ended in sync */
    bool reported;        /* this match */
};

/* Says what has changed with the phone; call it every frame. */
void tell(struct teller *teller, struct phone *phone);

#endif
