/* shot.h: saves one picture of the window, at a moment named on the command line. */
#ifndef SHOT_H
#define SHOT_H

#include "practice.h"
#include "ui.h"

struct shot {
    const char *path; /* NULL: none, or done */
    const char *at;
    bool directed; /* what brings the moment about was done */
    bool failed;   /* it could not be saved */
};

/* Brings the moment about, where nobody else would: a pause, and in practice a lost signal and a lost microphone. True if
 * the autopilot has to keep its hands off. */
bool shot_direct(struct shot *shot, struct phone *phone, struct practice *practice);
/* True when the moment has come: draw now. */
bool shot_wants(const struct shot *shot, const struct phone *phone);
/* Saves what was drawn, if the moment has come. Call it before the picture is shown. */
void shot_take(struct shot *shot, struct ui *ui, const struct phone *phone);
/* At the end: a picture was wanted and is not there. Says why. */
bool shot_is_missing(const struct shot *shot);

#endif
