/* match.h: a match as its player has it: the world as last seen, what is selected, where one looks. */
#ifndef MATCH_H
#define MATCH_H

#include "screens.h"

enum {
    UNITS_MAX = 1024,
    BUILDINGS_MAX = 256,
    TILES_MAX = 128 * 128,
    SPARKS_MAX = 256,
    UNIT_KINDS = 12,
    BUILDING_KINDS = 8,
    POWERS = 4,
};

/* A unit, where it was a tick ago, and which way it faces. */
struct seen_unit {
    duel_skirmish_unit now;
    int32_t from_x, from_y;
    float degrees; /* 0 is north, clockwise */
};

/* Something that flashes for a moment: an effect, and when it was seen. */
struct spark {
    duel_skirmish_effect effect;
    uint64_t at_us;
};

/* What this player has ordered and what has not landed yet: a second click means what it would if it had. */
struct on_its_way {
    int32_t building; /* to be begun; DUEL_NONE: none */
    bool placing, wave;
    int32_t units[UNIT_KINDS]; /* into queues, less those taken out */
    uint32_t powers;           /* bit i for power i */
};

/* What the next click on the map does. */
enum armed { ARMED_NOTHING, ARMED_MOVE, ARMED_ATTACK_MOVE, ARMED_UNLOAD, ARMED_RALLY, ARMED_POWER, ARMED_PLACE };

struct match {
    bool begun;
    uint32_t seed; /* of the match: another match has another one */
    uint32_t tick;
    int32_t side;
    duel_skirmish_world world;
    struct seen_unit units[UNITS_MAX]; /* by id; only what this side sees */
    size_t unit_count;
    duel_skirmish_building buildings[BUILDINGS_MAX];
    size_t building_count;
    uint8_t terrain[TILES_MAX], fog[TILES_MAX];
    uint16_t ore[TILES_MAX];
    uint32_t banned_units, banned_buildings;
    struct on_its_way on_its_way;
    duel_skirmish_spec unit_specs[UNIT_KINDS], building_specs[BUILDING_KINDS], power_specs[POWERS];
    struct spark sparks[SPARKS_MAX];
    uint32_t spark_count;

    uint32_t selected[DUEL_ORDER_UNITS_MAX];
    uint32_t selected_count;
    uint32_t building; /* selected; 0: none */
    enum armed armed;
    int32_t armed_what; /* which power or building */
    bool dragging;
    float drag_x, drag_y; /* where the box began, on the window */
    int tab;              /* of the build bar */
    float place_x, place_y; /* the newest order's place, tiles... */
    uint64_t placed_us;     /* ...and when it was given */

    float look_x, look_y; /* the tile in the middle */
    float tile_px;
    SDL_FRect view; /* where the map is on the window */
    SDL_Texture *ground, *shade;
    bool watches; /* nobody moves the map: it goes where the fights are */
};

/* world.c: takes the world in, once a tick, and the orders on their way, always. Call it every frame of a match; forgets everything when another begins. */
void match_follow(struct match *match, struct phone *phone);
void match_free(struct match *match);
bool match_is_selected(const struct match *match, uint32_t id);
const struct seen_unit *match_unit(const struct match *match, uint32_t id);
const duel_skirmish_building *match_building(const struct match *match, uint32_t id);
bool match_owns(const struct match *match, int32_t building_kind);
/* Why something cannot be had now ("needs factory"), or NULL if it can. */
const char *why_no_building(const struct match *match, int32_t kind);
const char *why_no_unit(const struct match *match, int32_t kind);
const char *why_no_power(const struct match *match, int32_t kind);

/* match.c: the player's hands. */
void match_hands(struct match *match, struct ui *ui, struct phone *phone);
void match_choose_building(struct match *match, struct phone *phone, int32_t kind); /* begins it, or takes it to its place */
void match_choose_unit(struct match *match, struct phone *phone, int32_t kind, bool take_back);
void match_choose_power(struct match *match, struct phone *phone, int32_t kind);
void match_wave(struct match *match, struct phone *phone);
void match_give(struct match *match, struct phone *phone, int32_t kind); /* an order without a place, to the selection */
void match_arm(struct match *match, struct phone *phone, enum armed armed);

/* Between tiles of the map and the window. */
static inline float to_window_x(const struct match *match, float tile_x)
{
    return match->view.x + match->view.w / 2 + (tile_x - match->look_x) * match->tile_px;
}

static inline float to_window_y(const struct match *match, float tile_y)
{
    return match->view.y + match->view.h / 2 + (tile_y - match->look_y) * match->tile_px;
}

static inline float to_tile_x(const struct match *match, float window_x)
{
    return match->look_x + (window_x - match->view.x - match->view.w / 2) / match->tile_px;
}

static inline float to_tile_y(const struct match *match, float window_y)
{
    return match->look_y + (window_y - match->view.y - match->view.h / 2) / match->tile_px;
}

static inline float in_tiles(int32_t subs)
{
    return (float)subs / DUEL_SUBS_PER_TILE;
}

/* draw.c: the map. `moved`: how far everything is between the last tick and this one, 0 to 1. */
void match_draw(struct match *match, struct ui *ui, const struct phone *phone, float moved);
void match_draw_minimap(struct match *match, struct ui *ui, SDL_FRect box);
void draw_unit(struct ui *ui, int32_t kind, SDL_Color colour, float x, float y, float size, float degrees);
SDL_Color side_colour(int32_t side);

/* hud.c: everything around the map. */
void match_hud(struct match *match, struct ui *ui, struct phone *phone);

#endif
