/* world.c: the world as this phone's player sees it, read once a tick; and what can be had in it. */
#include "match.h"

#include <math.h>
#include <stdio.h>

static void begin(struct match *match, struct phone *phone)
{
    SDL_Texture *ground = match->ground, *shade = match->shade;
    bool watches = match->watches;
    SDL_zerop(match);
    match->watches = watches;
    SDL_DestroyTexture(ground); /* another map's */
    SDL_DestroyTexture(shade);
    match->begun = true;
    match->seed = phone->agreed.seed;
    match->tick = UINT32_MAX; /* nothing taken in yet */
    match->side = phone->agreed.local_side;
    match->tile_px = 30;
    match->world = SIZED(duel_skirmish_world);
    duel_skirmish_get_world(phone->session, &match->world);
    duel_skirmish_get_terrain(phone->session, match->terrain, sizeof match->terrain);
    duel_skirmish_bans(phone->session, &match->banned_units, &match->banned_buildings);
    for (uint32_t kind = 0; kind < UNIT_KINDS; kind++) {
        match->unit_specs[kind] = SIZED(duel_skirmish_spec);
        duel_skirmish_get_spec(DUEL_NAMES_UNITS, kind, &match->unit_specs[kind]);
    }
    for (uint32_t kind = 0; kind < BUILDING_KINDS; kind++) {
        match->building_specs[kind] = SIZED(duel_skirmish_spec);
        duel_skirmish_get_spec(DUEL_NAMES_BUILDINGS, kind, &match->building_specs[kind]);
    }
    for (uint32_t kind = 0; kind < POWERS; kind++) {
        match->power_specs[kind] = SIZED(duel_skirmish_spec);
        duel_skirmish_get_spec(DUEL_NAMES_POWERS, kind, &match->power_specs[kind]);
    }
    match->look_x = (float)match->world.homes[match->side][0];
    match->look_y = (float)match->world.homes[match->side][1];
}

/* Both lists are by id: what was there before knows where it came from. */
static void take_units(struct match *match, struct phone *phone)
{
    static duel_skirmish_unit found[UNITS_MAX];
    static struct seen_unit before[UNITS_MAX];
    size_t count = 0, at_before = 0, before_count = match->unit_count;
    SDL_memcpy(before, match->units, before_count * sizeof before[0]);
    duel_skirmish_get_units(phone->session, match->side, found, UNITS_MAX, &count);
    match->unit_count = SDL_min(count, UNITS_MAX);
    for (size_t at = 0; at < match->unit_count; at++) {
        struct seen_unit *unit = &match->units[at];
        *unit = (struct seen_unit){found[at], found[at].x, found[at].y, match->side == found[at].side ? 0.0f : 180.0f};
        while (at_before < before_count && before[at_before].now.id < found[at].id)
            at_before++;
        if (at_before == before_count || before[at_before].now.id != found[at].id)
            continue;
        const struct seen_unit *old = &before[at_before];
        unit->from_x = old->now.x;
        unit->from_y = old->now.y;
        float dx = (float)(found[at].x - old->now.x), dy = (float)(found[at].y - old->now.y);
        unit->degrees = dx == 0 && dy == 0 ? old->degrees : atan2f(dx, -dy) * 57.2958f;
    }
}

static void take_effects(struct match *match, struct phone *phone)
{
    duel_skirmish_effect effect = SIZED(duel_skirmish_effect);
    char text[128];
    while (duel_skirmish_poll_effect(phone->session, &effect) == DUEL_OK) {
        if (effect.kind == DUEL_EFFECT_REFUSED) {
            if (effect.side == match->side && phone->want.ai == DUEL_AI_NONE) {
                snprintf(text, sizeof text, "%s", name_of(DUEL_NAMES_REFUSALS, (uint32_t)effect.id));
                phone_note(phone, "%s", text);
            }
        } else if (effect.seen_by >> match->side & 1) {
            match->sparks[match->spark_count++ % SPARKS_MAX] = (struct spark){effect, phone->now_us};
            if (match->watches && effect.kind == DUEL_EFFECT_SHOT) {
                match->look_x += (in_tiles(effect.x) - match->look_x) * 0.05f;
                match->look_y += (in_tiles(effect.y) - match->look_y) * 0.05f;
            }
        }
    }
}

static void take_orders(struct match *match, struct phone *phone)
{
    struct on_its_way *on_its_way = &match->on_its_way;
    duel_skirmish_order order = SIZED(duel_skirmish_order);
    *on_its_way = (struct on_its_way){.building = DUEL_NONE};
    for (uint32_t at = 0; duel_skirmish_in_flight(phone->session, at, &order) == DUEL_OK; at++) {
        if (order.kind == DUEL_ORDER_START_BUILDING)
            on_its_way->building = order.what;
        else if (order.kind == DUEL_ORDER_CANCEL_BUILDING)
            on_its_way->building = DUEL_NONE;
        else if (order.kind == DUEL_ORDER_PLACE_BUILDING)
            on_its_way->placing = true;
        else if (order.kind == DUEL_ORDER_CALL_WAVE)
            on_its_way->wave = true;
        else if (order.kind == DUEL_ORDER_CALLDOWN && order.what < POWERS)
            on_its_way->powers |= 1u << order.what;
        else if (order.kind == DUEL_ORDER_PRODUCE && order.what < UNIT_KINDS)
            on_its_way->units[order.what]++;
        else if (order.kind == DUEL_ORDER_CANCEL_PRODUCE && order.what < UNIT_KINDS)
            on_its_way->units[order.what]--;
    }
}

/* What is gone is no longer selected. */
static void drop_gone(struct match *match)
{
    uint32_t kept = 0;
    for (uint32_t at = 0; at < match->selected_count; at++) {
        const struct seen_unit *unit = match_unit(match, match->selected[at]);
        if (unit && unit->now.side == match->side)
            match->selected[kept++] = match->selected[at];
    }
    match->selected_count = kept;
    if (!match_building(match, match->building))
        match->building = 0;
    if (match->armed == ARMED_PLACE && match->world.site[match->side] == DUEL_NONE)
        match->armed = ARMED_NOTHING;
}

void match_follow(struct match *match, struct phone *phone)
{
    if (!match->begun || match->seed != phone->agreed.seed)
        begin(match, phone);
    take_orders(match, phone);
    if (match->tick == phone->status.tick)
        return;
    match->tick = phone->status.tick;
    size_t count = 0;
    duel_skirmish_get_world(phone->session, &match->world);
    take_units(match, phone);
    duel_skirmish_get_buildings(phone->session, match->side, match->buildings, BUILDINGS_MAX, &count);
    match->building_count = SDL_min(count, BUILDINGS_MAX);
    duel_skirmish_get_fog(phone->session, match->side, match->fog, sizeof match->fog);
    duel_skirmish_get_ore(phone->session, match->ore, TILES_MAX);
    take_effects(match, phone);
    drop_gone(match);
}

void match_free(struct match *match)
{
    SDL_DestroyTexture(match->ground);
    SDL_DestroyTexture(match->shade);
    SDL_zerop(match);
}

bool match_is_selected(const struct match *match, uint32_t id)
{
    for (uint32_t at = 0; at < match->selected_count; at++)
        if (match->selected[at] == id)
            return true;
    return false;
}

const struct seen_unit *match_unit(const struct match *match, uint32_t id)
{
    for (size_t at = 0; at < match->unit_count; at++)
        if (match->units[at].now.id == id)
            return &match->units[at];
    return NULL;
}

const duel_skirmish_building *match_building(const struct match *match, uint32_t id)
{
    for (size_t at = 0; at < match->building_count; at++)
        if (match->buildings[at].id == id)
            return &match->buildings[at];
    return NULL;
}

bool match_owns(const struct match *match, int32_t building_kind)
{
    for (size_t at = 0; at < match->building_count; at++)
        if (match->buildings[at].kind == building_kind && match->buildings[at].side == match->side)
            return true;
    return false;
}

/* ---- What can be had. ------------------------------------------------------------------------------------------------ */

static const char *why_not(const struct match *match, bool banned, const duel_skirmish_spec *spec, int32_t made_in)
{
    static char text[64];
    int32_t missing = made_in != DUEL_NONE && !match_owns(match, made_in)           ? made_in
                      : spec->needs != DUEL_NONE && !match_owns(match, spec->needs) ? spec->needs
                                                                                    : DUEL_NONE;
    if (banned)
        return "not in this match";
    if (missing != DUEL_NONE) {
        snprintf(text, sizeof text, "needs %s", name_of(DUEL_NAMES_BUILDINGS, (uint32_t)missing));
        return text;
    }
    return (int32_t)match->world.credits[match->side] < spec->cost ? "too dear" : NULL;
}

const char *why_no_building(const struct match *match, int32_t kind)
{
    if (match->on_its_way.building == kind)
        return "ordered";
    return why_not(match, match->banned_buildings >> kind & 1, &match->building_specs[kind], DUEL_NONE);
}

const char *why_no_unit(const struct match *match, int32_t kind)
{
    return why_not(match, match->banned_units >> kind & 1, &match->unit_specs[kind], match->unit_specs[kind].made_in);
}

const char *why_no_power(const struct match *match, int32_t kind)
{
    if (match->on_its_way.powers >> kind & 1)
        return "ordered";
    const char *why = why_not(match, false, &match->power_specs[kind], DUEL_BUILDING_UPLINK);
    return why || match->world.powers_ready[match->side][kind] <= match->world.tick ? why : "cools down";
}
