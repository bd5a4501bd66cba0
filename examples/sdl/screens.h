/* screens.h: what is on the window at each stage of a phone. Each draws, and does what was clicked. */
#ifndef SCREENS_H
#define SCREENS_H

#include "ui.h"
#include "words.h"

/* A sheet in the middle of the window: a title, the devices, the warning. Returns where its body begins. */
SDL_FRect sheet(struct ui *ui, const struct phone *phone);

/* lobby.c: the menu, opening, failed, the self-test, and everything from listening to GO. */
void lobby_screen(struct ui *ui, struct phone *phone);
/* report.c: the end. */
void report_screen(struct ui *ui, struct phone *phone);
/* cover.c: over everything else, when the sound link is gone, or being brought back. True while it is up. */
bool cover_is_up(const struct phone *phone);
bool cover_screen(struct ui *ui, struct phone *phone);
/* cover.c: over a match: what it waits for, the pause menu. True while something is up that takes the mouse. */
bool overlay_screen(struct ui *ui, struct phone *phone);

#endif
