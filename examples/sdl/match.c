/* match.c: the player's hands on the map: what the mouse selects, and what becomes an order. */
#include "match.h"

#include <math.h>

enum {
    DRAG_PX = 6,      /* a box smaller than this is a click */
    SCROLL_PX = 900,  /* a second, at the window's edge or by the arrow keys */
};

/* ---- Orders. --------------------------------------------------------------------------------------------------------- */

static void give(struct phone *phone, duel_skirmish_order order)
{
    if (phone->resigning)
        return;
    if (duel_skirmish_give(phone->session, phone->now_us, &order) != DUEL_OK)
        phone_note(phone, "%s", duel_session_detail(phone->session));
}

static duel_skirmish_order order_of(int32_t kind)
{
    return (duel_skirmish_order){.struct_size = sizeof(duel_skirmish_order), .kind = kind};
}

/* An order to units, at the place of the mouse. */
static void order_units(struct match *match, struct phone *phone, int32_t kind, const uint32_t *units, uint32_t count,
                        uint32_t object, float tile_x, float tile_y)
{
    duel_skirmish_order order = order_of(kind);
    if (count == 0)
        return;
    order.units = units;
    order.unit_count = count;
    order.object = object;
    order.x = (int32_t)(tile_x * DUEL_SUBS_PER_TILE);
    order.y = (int32_t)(tile_y * DUEL_SUBS_PER_TILE);
    give(phone, order);
    match->place_x = tile_x;
    match->place_y = tile_y;
    match->placed_us = phone->now_us;
}

/* Those of the selection that are, or are not, such units. */
static uint32_t of_selection(const struct match *match, bool (*wanted)(const struct match *, int32_t kind), bool is,
                             uint32_t ids[DUEL_ORDER_UNITS_MAX])
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < match->selected_count; at++) {
        const struct seen_unit *unit = match_unit(match, match->selected[at]);
        if (unit && wanted(match, unit->now.kind) == is)
            ids[count++] = unit->now.id;
    }
    return count;
}

static bool is_harvester(const struct match *match, int32_t kind)
{
    (void)match;
    return kind == DUEL_UNIT_HARVESTER;
}

static bool is_condor(const struct match *match, int32_t kind)
{
    (void)match;
    return kind == DUEL_UNIT_CONDOR;
}

static bool is_artillery(const struct match *match, int32_t kind)
{
    (void)match;
    return kind == DUEL_UNIT_ARTILLERY;
}

static bool is_foot(const struct match *match, int32_t kind)
{
    return match->unit_specs[kind].boards != 0;
}

void match_give(struct match *match, struct phone *phone, int32_t kind)
{
    uint32_t ids[DUEL_ORDER_UNITS_MAX], count = match->selected_count;
    duel_skirmish_order order = order_of(kind);
    if (kind == DUEL_ORDER_SELL || kind == DUEL_ORDER_CANCEL_BUILDING) {
        order.object = match->building;
        give(phone, order);
        return;
    }
    if (kind == DUEL_ORDER_ANCHOR || kind == DUEL_ORDER_PACK_UP)
        count = of_selection(match, is_artillery, true, ids);
    else
        SDL_memcpy(ids, match->selected, sizeof ids);
    order.units = ids;
    order.unit_count = count;
    if (count)
        give(phone, order);
}

void match_arm(struct match *match, struct phone *phone, enum armed armed)
{
    if (armed != ARMED_RALLY && armed != ARMED_NOTHING && match->selected_count == 0)
        phone_note(phone, "Select units first.");
    else
        match->armed = armed;
}

void match_choose_building(struct match *match, struct phone *phone, int32_t kind)
{
    duel_skirmish_order order = order_of(DUEL_ORDER_START_BUILDING);
    int32_t site = match->world.site[match->side];
    const char *why = why_no_building(match, kind);
    if (site == kind && match->on_its_way.placing) {
        phone_note(phone, "The %s is on its way.", name_of(DUEL_NAMES_BUILDINGS, (uint32_t)site));
    } else if (site == kind && match->world.site_permille[match->side] == 1000) {
        match->armed = ARMED_PLACE;
        match->armed_what = kind;
    } else if (site != DUEL_NONE) {
        phone_note(phone, "A %s is being built.", name_of(DUEL_NAMES_BUILDINGS, (uint32_t)site));
    } else if (match->on_its_way.building != DUEL_NONE) {
        phone_note(phone, "The %s is ordered already.",
                   name_of(DUEL_NAMES_BUILDINGS, (uint32_t)match->on_its_way.building));
    } else if (why) {
        phone_note(phone, "%s: %s.", name_of(DUEL_NAMES_BUILDINGS, (uint32_t)kind), why);
    } else {
        order.what = kind;
        give(phone, order);
    }
}

/* The building that would make such a unit soonest, or takes it back: the one with the shortest queue, or with one. */
static uint32_t maker(const struct match *match, int32_t kind, bool take_back)
{
    uint32_t best = 0, best_queue = DUEL_QUEUE_MAX + 1;
    for (size_t at = 0; at < match->building_count; at++) {
        const duel_skirmish_building *building = &match->buildings[at];
        bool queued = false;
        if (building->side != match->side || building->kind != match->unit_specs[kind].made_in)
            continue;
        for (int place = 0; place < DUEL_QUEUE_MAX; place++)
            queued |= building->queue[place] == kind;
        if ((queued || !take_back) && building->queued < best_queue) {
            best = building->id;
            best_queue = building->queued;
        }
    }
    return best;
}

void match_choose_unit(struct match *match, struct phone *phone, int32_t kind, bool take_back)
{
    duel_skirmish_order order = order_of(take_back ? DUEL_ORDER_CANCEL_PRODUCE : DUEL_ORDER_PRODUCE);
    const char *why = take_back ? NULL : why_no_unit(match, kind);
    order.object = maker(match, kind, take_back);
    order.what = kind;
    if (why)
        phone_note(phone, "%s: %s.", name_of(DUEL_NAMES_UNITS, (uint32_t)kind), why);
    else if (order.object)
        give(phone, order);
}

void match_choose_power(struct match *match, struct phone *phone, int32_t kind)
{
    const char *why = why_no_power(match, kind);
    if (why) {
        phone_note(phone, "%s: %s.", name_of(DUEL_NAMES_POWERS, (uint32_t)kind), why);
    } else {
        match->armed = ARMED_POWER;
        match->armed_what = kind;
    }
}

void match_wave(struct match *match, struct phone *phone)
{
    if (match->world.wave_ready[match->side] > match->world.tick)
        phone_note(phone, "The next wave is not ready.");
    else if (match->on_its_way.wave)
        phone_note(phone, "The wave is on its way.");
    else
        give(phone, order_of(DUEL_ORDER_CALL_WAVE));
}

/* ---- What is at a place. --------------------------------------------------------------------------------------------- */

static float unit_reach(const struct match *match, const struct seen_unit *unit)
{
    return in_tiles(match->unit_specs[unit->now.kind].radius) + 0.25f;
}

/* The nearest unit within reach of a place: one's own or the enemy's. */
static const struct seen_unit *unit_at(const struct match *match, float x, float y, bool own)
{
    const struct seen_unit *best = NULL;
    float best_away = 1e9f;
    for (size_t at = 0; at < match->unit_count; at++) {
        const struct seen_unit *unit = &match->units[at];
        float dx = in_tiles(unit->now.x) - x, dy = in_tiles(unit->now.y) - y, away = sqrtf(dx * dx + dy * dy);
        if ((unit->now.side == match->side) == own && unit->now.carrier == DUEL_NONE && away < best_away
            && away <= unit_reach(match, unit)) {
            best = unit;
            best_away = away;
        }
    }
    return best;
}

static const duel_skirmish_building *building_at(const struct match *match, float x, float y, bool own)
{
    for (size_t at = 0; at < match->building_count; at++) {
        const duel_skirmish_building *building = &match->buildings[at];
        float left = (float)building->tile_x, top = (float)building->tile_y;
        if ((building->side == match->side) == own && x >= left && x < left + (float)building->tiles_x && y >= top
            && y < top + (float)building->tiles_y)
            return building;
    }
    return NULL;
}

static bool ore_at(const struct match *match, float x, float y)
{
    if (x < 0 || y < 0 || x >= (float)match->world.width || y >= (float)match->world.height)
        return false;
    size_t tile = (size_t)y * match->world.width + (size_t)x;
    return match->ore[tile] > 0 && match->fog[tile] > 0;
}

/* ---- Clicks. --------------------------------------------------------------------------------------------------------- */

/* The right button: what makes sense there. */
static void act(struct match *match, struct phone *phone, float x, float y)
{
    uint32_t ids[DUEL_ORDER_UNITS_MAX], count;
    const struct seen_unit *enemy = unit_at(match, x, y, false), *own = unit_at(match, x, y, true);
    const duel_skirmish_building *target = building_at(match, x, y, false);
    const duel_skirmish_building *selected = match_building(match, match->building);
    if (match->selected_count == 0) {
        duel_skirmish_order rally = order_of(DUEL_ORDER_RALLY);
        if (!selected)
            return;
        rally.object = match->building;
        rally.x = (int32_t)(x * DUEL_SUBS_PER_TILE);
        rally.y = (int32_t)(y * DUEL_SUBS_PER_TILE);
        give(phone, rally);
    } else if (enemy || target) {
        order_units(match, phone, DUEL_ORDER_ATTACK, match->selected, match->selected_count,
                    enemy ? enemy->now.id : target->id, x, y);
    } else if (own && own->now.kind == DUEL_UNIT_CONDOR && (count = of_selection(match, is_foot, true, ids)) > 0) {
        order_units(match, phone, DUEL_ORDER_BOARD, ids, count, own->now.id, x, y);
    } else if (own && own->now.kind == DUEL_UNIT_GOLIATH && (count = of_selection(match, is_condor, true, ids)) >= 2) {
        order_units(match, phone, DUEL_ORDER_LIFT, ids, count, own->now.id, x, y);
    } else if (ore_at(match, x, y) && (count = of_selection(match, is_harvester, true, ids)) > 0) {
        order_units(match, phone, DUEL_ORDER_HARVEST, ids, count, 0, x, y);
        count = of_selection(match, is_harvester, false, ids);
        order_units(match, phone, DUEL_ORDER_MOVE, ids, count, 0, x, y);
    } else {
        order_units(match, phone, DUEL_ORDER_MOVE, match->selected, match->selected_count, 0, x, y);
    }
}

/* The left button with something armed: there. */
static void act_armed(struct match *match, struct phone *phone, float x, float y)
{
    duel_skirmish_order order = order_of(DUEL_ORDER_CALLDOWN);
    uint32_t ids[DUEL_ORDER_UNITS_MAX];
    int32_t may = 0;
    order.x = (int32_t)(x * DUEL_SUBS_PER_TILE);
    order.y = (int32_t)(y * DUEL_SUBS_PER_TILE);
    switch (match->armed) {
    case ARMED_MOVE:
    case ARMED_ATTACK_MOVE:
        order_units(match, phone, match->armed == ARMED_MOVE ? DUEL_ORDER_MOVE : DUEL_ORDER_ATTACK_MOVE, match->selected,
                    match->selected_count, 0, x, y);
        break;
    case ARMED_UNLOAD:
        order_units(match, phone, DUEL_ORDER_UNLOAD, ids, of_selection(match, is_condor, true, ids), 0, x, y);
        break;
    case ARMED_RALLY:
        order.kind = DUEL_ORDER_RALLY;
        order.object = match->building;
        give(phone, order);
        break;
    case ARMED_POWER:
        order.what = match->armed_what;
        give(phone, order);
        break;
    case ARMED_PLACE:
        if (x >= 0 && y >= 0)
            duel_skirmish_can_place(phone->session, match->side, match->armed_what, (uint32_t)x, (uint32_t)y, &may);
        if (!may) {
            phone_note(phone, "No room for a %s there.", name_of(DUEL_NAMES_BUILDINGS, (uint32_t)match->armed_what));
            return;
        }
        order.kind = DUEL_ORDER_PLACE_BUILDING;
        give(phone, order);
        break;
    default:
        return;
    }
    match->armed = ARMED_NOTHING;
}

static void select_unit(struct match *match, uint32_t id)
{
    if (match->selected_count < DUEL_ORDER_UNITS_MAX && !match_is_selected(match, id))
        match->selected[match->selected_count++] = id;
}

/* Every own unit in a box of tiles, or of one kind; harvesters only where nothing else is there. */
static void select_box(struct match *match, float x0, float y0, float x1, float y1, int32_t kind)
{
    bool fighters = false;
    for (int pass = 0; pass < 2 && !fighters; pass++)
        for (size_t at = 0; at < match->unit_count; at++) {
            const duel_skirmish_unit *unit = &match->units[at].now;
            float x = in_tiles(unit->x), y = in_tiles(unit->y);
            bool harvests = unit->kind == DUEL_UNIT_HARVESTER;
            if (unit->side != match->side || unit->carrier != DUEL_NONE || x < x0 || x > x1 || y < y0 || y > y1
                || (kind == DUEL_NONE ? harvests != (pass == 1) : unit->kind != kind))
                continue;
            select_unit(match, unit->id);
            fighters = true;
        }
}

static void click(struct match *match, const struct ui *ui, float x, float y)
{
    const struct seen_unit *unit = unit_at(match, x, y, true);
    const duel_skirmish_building *building = building_at(match, x, y, true);
    if (unit && ui->clicks >= 2) /* all of its kind that can be seen */
        select_box(match, to_tile_x(match, match->view.x), to_tile_y(match, match->view.y),
                   to_tile_x(match, match->view.x + match->view.w), to_tile_y(match, match->view.y + match->view.h),
                   unit->now.kind);
    else if (unit)
        select_unit(match, unit->now.id);
    else if (building && match->selected_count == 0)
        match->building = building->id;
}

static void release(struct match *match, const struct ui *ui)
{
    float x0 = SDL_min(match->drag_x, ui->mouse_x), x1 = SDL_max(match->drag_x, ui->mouse_x);
    float y0 = SDL_min(match->drag_y, ui->mouse_y), y1 = SDL_max(match->drag_y, ui->mouse_y);
    match->dragging = false;
    if (!ui->shift)
        match->selected_count = 0;
    match->building = 0;
    if (x1 - x0 < DRAG_PX && y1 - y0 < DRAG_PX)
        click(match, ui, to_tile_x(match, ui->mouse_x), to_tile_y(match, ui->mouse_y));
    else
        select_box(match, to_tile_x(match, x0), to_tile_y(match, y0), to_tile_x(match, x1), to_tile_y(match, y1), DUEL_NONE);
}

static void keys(struct match *match, struct ui *ui, struct phone *phone)
{
    if (ui_key(ui, SDLK_E)) {
        match->selected_count = match->building = 0;
        select_box(match, 0, 0, 1e6f, 1e6f, DUEL_NONE);
    }
    if (ui_key(ui, SDLK_H)) {
        match->selected_count = match->building = 0;
        select_box(match, 0, 0, 1e6f, 1e6f, DUEL_UNIT_HARVESTER);
    }
    if (ui_key(ui, SDLK_HOME)) {
        match->look_x = (float)match->world.homes[match->side][0];
        match->look_y = (float)match->world.homes[match->side][1];
    }
    if (match->armed != ARMED_NOTHING && ui_key(ui, SDLK_ESCAPE))
        match->armed = ARMED_NOTHING;
    if (ui_key(ui, SDLK_ESCAPE) || ui_key(ui, SDLK_P))
        phone_pause(phone, true);
}

/* The map scrolls under the arrow keys and zooms under the wheel; it never leaves the view. */
static void look_around(struct match *match, const struct ui *ui)
{
    static uint64_t before_ms;
    const bool *held = SDL_GetKeyboardState(NULL);
    uint64_t now_ms = SDL_GetTicks();
    float step = SCROLL_PX / match->tile_px * (float)SDL_min(now_ms - before_ms, 100) / 1000;
    before_ms = now_ms;
    match->look_x += step * (float)(held[SDL_SCANCODE_RIGHT] - held[SDL_SCANCODE_LEFT]);
    match->look_y += step * (float)(held[SDL_SCANCODE_DOWN] - held[SDL_SCANCODE_UP]);
    if (!ui->captured)
        match->tile_px = SDL_clamp(match->tile_px * powf(1.12f, ui->wheel), 14.0f, 56.0f);
    float across = match->view.w / 2 / match->tile_px, down = match->view.h / 2 / match->tile_px;
    float width = (float)match->world.width, height = (float)match->world.height;
    match->look_x = width < 2 * across ? width / 2 : SDL_clamp(match->look_x, across, width - across);
    match->look_y = height < 2 * down ? height / 2 : SDL_clamp(match->look_y, down, height - down);
}

void match_hands(struct match *match, struct ui *ui, struct phone *phone)
{
    float x = to_tile_x(match, ui->mouse_x), y = to_tile_y(match, ui->mouse_y);
    keys(match, ui, phone);
    look_around(match, ui);
    if (match->dragging && ui->left_released)
        release(match, ui);
    if (ui->captured)
        return;
    if (ui->left_pressed && match->armed != ARMED_NOTHING) {
        act_armed(match, phone, x, y);
    } else if (ui->left_pressed) {
        match->dragging = true;
        match->drag_x = ui->mouse_x;
        match->drag_y = ui->mouse_y;
    } else if (ui->right_pressed && match->armed != ARMED_NOTHING) {
        match->armed = ARMED_NOTHING;
    } else if (ui->right_pressed) {
        act(match, phone, x, y);
    }
}
