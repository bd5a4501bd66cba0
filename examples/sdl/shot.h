/* shot.h: saves one picture of the window, at a moment named on the command line. */
#ifndef SHOT_H
#define SHOT_H

#include "phone.h"
#include "ui.h"

struct shot {
    const char *path; /* NULL: none, or done */
    const char *at;
};

/* True when the moment has come: draw now. */
bool shot_wants(const struct shot *shot, const struct phone *phone);
/* Saves what was drawn, if the moment has come. Call it before the picture is shown. */
void shot_take(struct shot *shot, struct ui *ui, const struct phone *phone);

#endif
