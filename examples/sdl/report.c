/* report.c: the end of a match: how it ended, whether both phones agree, what is told of it, and where to go from there. */
#include "screens.h"

#include <stdio.h>

static void fact(struct ui *ui, SDL_FRect box, float *y, const char *name, const char *value)
{
    if (!value[0])
        return;
    ui_text(ui, box.x + 22, *y, BODY, FAINT, "%s", name);
    *y += ui_paragraph(ui, box.x + 220, *y, box.w - 240, BODY, INK, value) + 7;
}

static void facts(struct ui *ui, const struct phone *phone, SDL_FRect box)
{
    const duel_session_status *status = &phone->status;
    const duel_link_status *link = &phone->link_status;
    uint64_t all = link->rx_good + link->rx_bad;
    char text[256], snr[32] = "";
    float y = box.y + 18;
    if (phone->snr_count)
        snprintf(snr, sizeof snr, ", %.0f dB", phone->snr_sum_db / phone->snr_count);
    snprintf(text, sizeof text, "%u good packets, %u bad (%.1f %%%s)", (unsigned)link->rx_good, (unsigned)link->rx_bad,
             all ? 100.0 * (double)link->rx_good / (double)all : 0.0, snr);
    fact(ui, box, &y, "Link", text);
    snprintf(text, sizeof text, "%.1f s", (double)status->stall_by_link_ms / 1000);
    fact(ui, box, &y, "Waiting on the link", text);
    if (status->order_delay_max_ticks) {
        snprintf(text, sizeof text, "%.1f s", number(status->order_delay_ticks) / 10);
        fact(ui, box, &y, "Order delay", text);
        snprintf(text, sizeof text, "%.1f s", status->order_delay_max_ticks / 10.0);
        fact(ui, box, &y, "Slowest order", text);
    }
    fact(ui, box, &y, "Record", phone->kept.record);
    fact(ui, box, &y, "Debug info", phone->kept.debug);
    fact(ui, box, &y, "Not saved", phone->kept.problem);
}

static void ways_on(struct ui *ui, struct phone *phone, float x, float y)
{
    if (phone->going != GOING_NOWHERE) {
        ui_text(ui, x, y + 12, BODY, INK, "Saying goodbye…");
        return;
    }
    if (phone->status.peer_in_lobby) {
        ui_text(ui, x, y, BODY, GOOD, "Your friend is back in the lobby: tap Rematch");
        y += 34;
    }
    if (ui_button(ui, (SDL_FRect){x, y, 200, 46}, "Rematch", SDLK_R, true))
        phone_leave_for(phone, GOING_REMATCH);
    if (ui_button(ui, (SDL_FRect){x + 216, y, 140, 46}, "Menu", SDLK_M, true))
        phone_leave_for(phone, GOING_MENU);
    if (ui_button(ui, (SDL_FRect){x + 372, y, 140, 46}, "Quit", SDLK_Q, true))
        phone_leave_for(phone, GOING_QUIT);
}

void report_screen(struct ui *ui, struct phone *phone)
{
    struct headline headline;
    char map[64], clock[16];
    SDL_FRect body = sheet(ui, phone);
    float y = body.y + 6;
    headline_of(phone, &headline);
    map_name(&phone->agreed.map, map, sizeof map);
    ui_text(ui, body.x, y, TITLE, headline.well > 0 ? GOOD : headline.well < 0 ? BAD : WARN, "%s", headline.title);
    y += 48;
    if (headline.how[0])
        y += ui_paragraph(ui, body.x, y, body.w, BODY, INK, headline.how) + 4;
    ui_text(ui, body.x, y, BODY, FAINT, "vs your friend · you played %s · %s · %s · %s", side_word(phone->agreed.local_side),
            map, clock_of(phone->status.tick, clock), phone->sound.real ? "over sound" : "Practice link (no sound)");
    y += 30;
    if (headline.sync[0]) {
        bool settled = phone->status.sync == DUEL_SYNC_IN_SYNC;
        ui_text(ui, body.x, y, LARGE, settled ? GOOD : WARN, "%s", headline.sync);
        y += 36;
    }
    SDL_FRect box = {body.x, y, body.w, 196};
    ui_panel(ui, box, PANEL, EDGE);
    facts(ui, phone, box);
    ways_on(ui, phone, body.x, y + box.h + 24);
}
