/* hud.c: everything around the map: the line above it, the selection below it, the minimap and the build bar beside it. */
#include "match.h"

#include <stdio.h>

enum { BAR = 44, SIDE = 320, FOOT = 74, MINIMAP = 244 };

/* ---- The line above the map. ----------------------------------------------------------------------------------------- */

static void top_bar(struct match *match, struct ui *ui, struct phone *phone)
{
    char clock[16];
    const duel_session_status *status = &phone->status;
    int32_t power = match->world.power[match->side];
    float x = 16, y = 12;
    ui_panel(ui, (SDL_FRect){-8, -8, ui->width + 16, BAR + 8}, PANEL, EDGE);
    x += ui_text(ui, x, y, BODY, INK, "%s", clock_of(status->tick, clock)) + 22;
    ui_shape(ui, SHAPE_DISC, x + 7, y + 10, 14, 14, 0, side_colour(match->side));
    x += 22 + ui_text(ui, x + 22, y, BODY, INK, "you are %s", side_word(match->side)) + 22;
    ui_shape(ui, SHAPE_DIAMOND, x + 7, y + 10, 16, 16, 0, (SDL_Color){226, 178, 66, 255});
    x += 20 + ui_text(ui, x + 20, y, BODY, INK, "%u", match->world.credits[match->side]) + 22;
    x += ui_text(ui, x, y, BODY, power < 0 ? BAD : INK, "power %+d", power) + 22;
    x += ui_text(ui, x, y, BODY, FAINT, "%u ms", phone->agreed.delay_ticks * 100) + 22;
    if (status->orders_queued)
        x += ui_text(ui, x, y, BODY, WARN, "Orders queued") + 22;
    if (phone->resigning)
        x += ui_text(ui, x, y, BODY, WARN, "Resigning…") + 22;
    if (phone->want.ai != DUEL_AI_NONE)
        ui_text(ui, x, y, BODY, FAINT, "an AI plays for you");
    float right = ui->width - SIDE;
    ui_text(ui, right - 196, y + 1, SMALL, FAINT, "you hear");
    ui_bars(ui, right - 124, y, status->rx_quality, DUEL_RX_QUALITY_MAX);
    ui_text(ui, right - 46, y + 1, SMALL, FAINT, "heard");
    ui_bars(ui, right + 6, y, SDL_max(status->peer_rx_quality, 0), DUEL_RX_QUALITY_MAX);
    if (ui_button(ui, (SDL_FRect){ui->width - 112, 5, 100, 32}, "Pause", 0, !phone->menu_up))
        phone_pause(phone, true);
}

/* ---- The build bar. -------------------------------------------------------------------------------------------------- */

/* One thing to have: its name, its cost or why not, how far it is. Returns 1 for a left click, 2 for a right one. */
static int entry(struct ui *ui, SDL_FRect box, const char *name, int32_t cost, const char *why, uint32_t permille,
                 const char *badge)
{
    SDL_FRect bar = {box.x + 3, box.y + box.h - 6, (box.w - 6) * (float)permille / 1000, 3};
    bool right = ui_hovers(ui, box) && ui->right_pressed;
    int clicked = ui_button(ui, box, "", 0, true) ? 1 : right ? 2 : 0;
    ui_text(ui, box.x + 38, box.y + 6, SMALL, why ? FAINT : INK, "%s", name);
    if (why)
        ui_text(ui, box.x + 38, box.y + 25, 12, ui_alpha(FAINT, 190), "%s", why);
    else
        ui_text(ui, box.x + 38, box.y + 25, 12, FAINT, "%d", cost);
    if (permille)
        ui_fill(ui, bar, permille == 1000 ? GOOD : ACCENT);
    if (badge[0])
        ui_text(ui, box.x + box.w - 10 - ui_text_width(SMALL, badge), box.y + 24, SMALL, WARN, "%s", badge);
    return clicked;
}

static SDL_FRect cell(float x, float y, int at)
{
    return (SDL_FRect){x + (float)(at % 2) * 150, y + (float)(at / 2) * 52, 144, 46};
}

static void buildings_tab(struct match *match, struct ui *ui, struct phone *phone, float x, float y)
{
    int at = 0;
    int32_t site = match->world.site[match->side];
    for (int32_t kind = 0; kind < BUILDING_KINDS; kind++) {
        const duel_skirmish_spec *spec = &match->building_specs[kind];
        if (spec->cost == DUEL_NONE)
            continue;
        SDL_FRect box = cell(x, y, at++);
        uint32_t done = site == kind ? SDL_max(match->world.site_permille[match->side], 1) : 0;
        const char *place = match->on_its_way.placing ? "ordered" : "place it";
        int clicked = entry(ui, box, name_of(DUEL_NAMES_BUILDINGS, (uint32_t)kind), spec->cost,
                            done == 1000 ? place : done ? "being built" : why_no_building(match, kind), done, "");
        ui_shape(ui, SHAPE_BOX, box.x + 20, box.y + 22, 20, 20, 0, ui_mix(side_colour(match->side), BACK, 0.35f));
        if (clicked == 1)
            match_choose_building(match, phone, kind);
    }
    if (site != DUEL_NONE && ui_button(ui, cell(x, y, at), "Give it up", SDLK_C, true))
        match_give(match, phone, DUEL_ORDER_CANCEL_BUILDING);
}

/* How many of a kind are in all queues, and how far the first is. */
static int queued(const struct match *match, int32_t kind, uint32_t *permille)
{
    int count = 0;
    *permille = 0;
    for (size_t at = 0; at < match->building_count; at++) {
        const duel_skirmish_building *building = &match->buildings[at];
        if (building->side != match->side)
            continue;
        for (int place = 0; place < DUEL_QUEUE_MAX; place++)
            count += building->queue[place] == kind;
        if (building->queue[0] == kind)
            *permille = SDL_max(building->progress_permille, 1);
    }
    return count;
}

static void units_tab(struct match *match, struct ui *ui, struct phone *phone, float x, float y)
{
    for (int32_t kind = 0; kind < UNIT_KINDS; kind++) {
        SDL_FRect box = cell(x, y, kind);
        char badge[16] = "";
        uint32_t done;
        int count = queued(match, kind, &done) + match->on_its_way.units[kind];
        if (count > 0)
            snprintf(badge, sizeof badge, "×%d", count);
        int clicked = entry(ui, box, name_of(DUEL_NAMES_UNITS, (uint32_t)kind), match->unit_specs[kind].cost,
                            why_no_unit(match, kind), done, badge);
        draw_unit(ui, kind, side_colour(match->side), box.x + 20, box.y + 23, 18, 0);
        if (clicked)
            match_choose_unit(match, phone, kind, clicked == 2);
    }
}

static void powers_tab(struct match *match, struct ui *ui, struct phone *phone, float x, float y)
{
    for (int32_t kind = 0; kind < POWERS; kind++) {
        SDL_FRect box = cell(x, y, kind);
        int clicked = entry(ui, box, name_of(DUEL_NAMES_POWERS, (uint32_t)kind), match->power_specs[kind].cost,
                            why_no_power(match, kind), 0, "");
        ui_shape(ui, SHAPE_RING, box.x + 20, box.y + 23, 22, 22, 0, WARN);
        if (clicked == 1)
            match_choose_power(match, phone, kind);
    }
    SDL_FRect box = cell(x, y, POWERS);
    bool ready = match->world.wave_ready[match->side] <= match->world.tick;
    const char *why = match->on_its_way.wave ? "ordered" : ready ? NULL : "not ready yet";
    int clicked = entry(ui, box, "wave", (int32_t)match->world.wave_cost, why, 0, "");
    ui_shape(ui, SHAPE_TRIANGLE, box.x + 20, box.y + 23, 20, 20, 0, GOOD);
    if (clicked == 1 || ui_key(ui, SDLK_W))
        match_wave(match, phone);
}

static void side_panel(struct match *match, struct ui *ui, struct phone *phone)
{
    static const char *const TABS[] = {"Build", "Units", "Powers"};
    float x = ui->width - SIDE + 12, y = BAR + 12;
    ui_panel(ui, (SDL_FRect){ui->width - SIDE, BAR - 2, SIDE + 8, ui->height - BAR + 10}, PANEL, EDGE);
    match_draw_minimap(match, ui, (SDL_FRect){x, y, SIDE - 24, MINIMAP});
    y += MINIMAP + 14;
    for (int tab = 0; tab < 3; tab++)
        if (ui_toggle(ui, (SDL_FRect){x + (float)tab * 100, y, 94, 34}, TABS[tab], 0, match->tab == tab))
            match->tab = tab;
    if (ui_key(ui, SDLK_TAB))
        match->tab = (match->tab + 1) % 3;
    y += 46;
    if (match->tab == 0)
        buildings_tab(match, ui, phone, x, y);
    else if (match->tab == 1)
        units_tab(match, ui, phone, x, y);
    else
        powers_tab(match, ui, phone, x, y);
}

/* ---- The selection. -------------------------------------------------------------------------------------------------- */

static void units_line(const struct match *match, char *text, size_t bytes)
{
    size_t length = 0;
    for (int32_t kind = 0; kind < UNIT_KINDS; kind++) {
        int count = 0;
        for (uint32_t at = 0; at < match->selected_count; at++) {
            const struct seen_unit *unit = match_unit(match, match->selected[at]);
            count += unit && unit->now.kind == kind;
        }
        if (count && length < bytes)
            length += (size_t)snprintf(text + length, bytes - length, "%s%d %s", length ? ", " : "", count,
                                       name_of(DUEL_NAMES_UNITS, (uint32_t)kind));
    }
}

static bool selected_any(const struct match *match, int32_t kind)
{
    for (uint32_t at = 0; at < match->selected_count; at++) {
        const struct seen_unit *unit = match_unit(match, match->selected[at]);
        if (unit && unit->now.kind == kind)
            return true;
    }
    return false;
}

static bool small_button(struct ui *ui, float *x, float y, const char *label, SDL_Keycode key)
{
    SDL_FRect box = {*x, y, ui_text_width(BODY, label) + 24, 30};
    *x += box.w + 8;
    return ui_button(ui, box, label, key, true);
}

static void commands(struct match *match, struct ui *ui, struct phone *phone, float x, float y)
{
    if (small_button(ui, &x, y, "Attack-move (A)", SDLK_A))
        match_arm(match, phone, ARMED_ATTACK_MOVE);
    if (small_button(ui, &x, y, "Move (M)", SDLK_M))
        match_arm(match, phone, ARMED_MOVE);
    if (small_button(ui, &x, y, "Stop (S)", SDLK_S))
        match_give(match, phone, DUEL_ORDER_STOP);
    if (selected_any(match, DUEL_UNIT_ARTILLERY)) {
        if (small_button(ui, &x, y, "Dig in (N)", SDLK_N))
            match_give(match, phone, DUEL_ORDER_ANCHOR);
        if (small_button(ui, &x, y, "Pack up (U)", SDLK_U))
            match_give(match, phone, DUEL_ORDER_PACK_UP);
    }
    if (selected_any(match, DUEL_UNIT_CONDOR) && small_button(ui, &x, y, "Put down (D)", SDLK_D))
        match_arm(match, phone, ARMED_UNLOAD);
}

static const char *armed_text(const struct match *match, char text[96])
{
    static const char *const TEXTS[] = {"", "Move where?", "Attack-move where?", "Put down where?",
                                        "New units gather where?"};
    int32_t table = match->armed == ARMED_POWER ? DUEL_NAMES_POWERS : DUEL_NAMES_BUILDINGS;
    if (match->armed < ARMED_POWER)
        return TEXTS[match->armed];
    snprintf(text, 96, match->armed == ARMED_POWER ? "Call down the %s where?" : "Place the %s where?",
             name_of(table, (uint32_t)match->armed_what));
    return text;
}

static void foot_panel(struct match *match, struct ui *ui, struct phone *phone)
{
    char text[256] = "";
    float x = 14, y = ui->height - FOOT;
    const duel_skirmish_building *building = match_building(match, match->building);
    ui_panel(ui, (SDL_FRect){-8, y, ui->width - SIDE + 12, FOOT + 8}, PANEL, EDGE);
    if (match->armed != ARMED_NOTHING) {
        ui_text(ui, x, y + 10, BODY, WARN, "%s", armed_text(match, text));
        ui_text(ui, x, y + 40, SMALL, FAINT, "Left click: there. Right click: no.");
    } else if (match->selected_count) {
        units_line(match, text, sizeof text);
        ui_text(ui, x, y + 8, BODY, INK, "%s", text);
        commands(match, ui, phone, x, y + 36);
    } else if (building) {
        ui_text(ui, x, y + 8, BODY, INK, "%s %d/%d", name_of(DUEL_NAMES_BUILDINGS, (uint32_t)building->kind), building->hp,
                building->hp_whole);
        if (small_button(ui, &x, y + 36, "Rally point (Y)", SDLK_Y))
            match_arm(match, phone, ARMED_RALLY);
        if (small_button(ui, &x, y + 36, "Sell (X)", SDLK_X))
            match_give(match, phone, DUEL_ORDER_SELL);
    } else {
        ui_text(ui, x, y + 10, BODY, FAINT, "Click or drag a box to select · right click: move, attack, mine, board");
        ui_text(ui, x, y + 40, SMALL, FAINT,
                "E army · H harvesters · double click: all of a kind · Tab build bar · W wave · wheel zoom · Home · "
                "P pause");
    }
    if (phone->notice[0])
        ui_text_mid(ui, (ui->width - SIDE) / 2, y - 30, BODY, WARN, phone->notice);
}

void match_hud(struct match *match, struct ui *ui, struct phone *phone)
{
    match->view = (SDL_FRect){0, BAR, ui->width - SIDE, ui->height - BAR - FOOT};
    top_bar(match, ui, phone);
    side_panel(match, ui, phone);
    foot_panel(match, ui, phone);
}
