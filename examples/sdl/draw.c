/* draw.c: the map: ground, fog, buildings, units, and what flashes. Shapes and colour, no pictures. */
#include "match.h"

#include <math.h>

enum { GROUND_PX = 8, SHOT_MS = 180, BURST_MS = 500, ORDER_MS = 700 };

static const SDL_Color SHOT = {255, 232, 150, 255};
static const SDL_Color ORE = {226, 178, 66, 255};
static const SDL_Color DARK = {10, 12, 16, 255};

SDL_Color side_colour(int32_t side)
{
    return side == DUEL_SIDE_RED ? (SDL_Color){238, 88, 74, 255} : (SDL_Color){74, 144, 255, 255};
}

/* ---- Ground and fog: a texture each, made once and once a tick. ------------------------------------------------------- */

static Uint32 hash_of(Uint32 value)
{
    value = (value ^ value >> 15) * 0x2C1B3C6Du;
    value = (value ^ value >> 12) * 0x297A2D39u;
    return value ^ value >> 15;
}

static SDL_Color terrain_colour(uint8_t terrain)
{
    static const SDL_Color COLOURS[] = {
        {78, 96, 66, 255}, {108, 99, 72, 255}, {72, 70, 72, 255}, {46, 78, 108, 255}};
    return COLOURS[terrain & 3];
}

static uint8_t terrain_at(const struct match *match, int tile_x, int tile_y)
{
    int width = (int)match->world.width, height = (int)match->world.height;
    return match->terrain[SDL_clamp(tile_y, 0, height - 1) * width + SDL_clamp(tile_x, 0, width - 1)];
}

/* What blocks the ground has an edge: rock in the light from above, water in the shade of its banks. */
static int bevel_of(const struct match *match, int x, int y, uint8_t terrain)
{
    int tile_x = x / GROUND_PX, tile_y = y / GROUND_PX, row = y % GROUND_PX, column = x % GROUND_PX;
    int light = terrain == DUEL_TERRAIN_ROCK ? 22 : terrain == DUEL_TERRAIN_WATER ? -16 : 0;
    if (!light)
        return 0;
    if ((row < 2 && terrain_at(match, tile_x, tile_y - 1) != terrain)
        || (column < 2 && terrain_at(match, tile_x - 1, tile_y) != terrain))
        return light;
    if ((row >= GROUND_PX - 2 && terrain_at(match, tile_x, tile_y + 1) != terrain)
        || (column >= GROUND_PX - 2 && terrain_at(match, tile_x + 1, tile_y) != terrain))
        return -light;
    return 0;
}

/* Each tile in its colour, a little uneven, so that the eye has something to hold on to when the map moves. */
static void make_ground(struct match *match, struct ui *ui)
{
    int width = (int)match->world.width * GROUND_PX, height = (int)match->world.height * GROUND_PX;
    SDL_Surface *surface = SDL_CreateSurface(width, height, SDL_PIXELFORMAT_RGBA32);
    if (!surface)
        return;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t terrain = match->terrain[(size_t)(y / GROUND_PX) * match->world.width + (size_t)(x / GROUND_PX)];
            SDL_Color colour = terrain_colour(terrain);
            int coarse = (int)(hash_of((Uint32)(y / GROUND_PX * 977 + x / GROUND_PX)) % 9) - 4;
            int bevel = bevel_of(match, x, y, terrain);
            int fine = terrain == DUEL_TERRAIN_WATER ? 0 : (int)(hash_of((Uint32)(y * 8191 + x)) % 9) - 4;
            Uint8 *pixel = (Uint8 *)surface->pixels + y * surface->pitch + 4 * x;
            pixel[0] = (Uint8)(colour.r + coarse + fine + bevel);
            pixel[1] = (Uint8)(colour.g + coarse + fine + bevel);
            pixel[2] = (Uint8)(colour.b + coarse + fine + bevel);
            pixel[3] = 255;
        }
    match->ground = SDL_CreateTextureFromSurface(ui->renderer, surface);
    SDL_DestroySurface(surface);
    match->shade = SDL_CreateTexture(ui->renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING,
                                     (int)match->world.width, (int)match->world.height);
    if (match->shade) {
        SDL_SetTextureBlendMode(match->shade, SDL_BLENDMODE_BLEND);
        SDL_SetTextureScaleMode(match->shade, SDL_SCALEMODE_LINEAR); /* soft edges */
    }
}

static void update_shade(struct match *match)
{
    static const Uint8 ALPHA[] = {255, 120, 0}; /* never seen, seen before, in sight */
    void *pixels;
    int pitch;
    if (!match->shade || !SDL_LockTexture(match->shade, NULL, &pixels, &pitch))
        return;
    for (uint32_t y = 0; y < match->world.height; y++)
        for (uint32_t x = 0; x < match->world.width; x++) {
            Uint8 *pixel = (Uint8 *)pixels + y * (uint32_t)pitch + 4 * x;
            pixel[0] = DARK.r, pixel[1] = DARK.g, pixel[2] = DARK.b;
            pixel[3] = ALPHA[SDL_min(match->fog[y * match->world.width + x], 2)];
        }
    SDL_UnlockTexture(match->shade);
}

static SDL_FRect whole_map(const struct match *match)
{
    return (SDL_FRect){to_window_x(match, 0), to_window_y(match, 0), (float)match->world.width * match->tile_px,
                       (float)match->world.height * match->tile_px};
}

static bool is_in_view(const struct match *match, float x, float y, float margin)
{
    const SDL_FRect *view = &match->view;
    return x > view->x - margin && x < view->x + view->w + margin && y > view->y - margin && y < view->y + view->h + margin;
}

static void draw_ore(struct match *match, struct ui *ui)
{
    for (uint32_t y = 0; y < match->world.height; y++)
        for (uint32_t x = 0; x < match->world.width; x++) {
            size_t tile = y * match->world.width + x;
            float wx = to_window_x(match, (float)x + 0.5f), wy = to_window_y(match, (float)y + 0.5f), px = match->tile_px;
            if (match->ore[tile] == 0 || match->fog[tile] == 0 || !is_in_view(match, wx, wy, px))
                continue;
            float size = px * (0.25f + 0.3f * SDL_min((float)match->ore[tile] / 400.0f, 1.0f));
            ui_shape(ui, SHAPE_DIAMOND, wx - px * 0.18f, wy + px * 0.14f, size, size, 0, ui_mix(ORE, DARK, 0.25f));
            ui_shape(ui, SHAPE_DIAMOND, wx + px * 0.16f, wy - px * 0.1f, size * 1.15f, size * 1.15f, 0, ORE);
        }
}

/* ---- Units and buildings. -------------------------------------------------------------------------------------------- */

static void part(struct ui *ui, enum ui_shape shape, float x, float y, float along, float size_x, float size_y,
                 float degrees, SDL_Color colour)
{
    float turn = degrees / 57.2958f;
    ui_shape(ui, shape, x + sinf(turn) * along, y - cosf(turn) * along, size_x, size_y, degrees, colour);
}

/* A body in the side's colour with a dark rim, and a mark that tells its kind. `size`: across, in pixels. */
void draw_unit(struct ui *ui, int32_t kind, SDL_Color colour, float x, float y, float size, float degrees)
{
    SDL_Color light = ui_mix(colour, INK, 0.75f), deep = ui_mix(colour, DARK, 0.45f);
    enum ui_shape body = SHAPE_BOX;
    float wide = 0.82f, high = 1.0f;
    if (kind == DUEL_UNIT_RIFLE || kind == DUEL_UNIT_ROCKET)
        body = SHAPE_DISC, wide = high = 0.9f;
    else if (kind == DUEL_UNIT_SCOUT)
        body = SHAPE_DIAMOND, wide = 0.8f, high = 1.15f;
    else if (kind == DUEL_UNIT_FIGHTER)
        body = SHAPE_TRIANGLE, wide = 1.0f, high = 1.25f;
    else if (kind == DUEL_UNIT_BOMBER)
        body = SHAPE_TRIANGLE, wide = 1.5f, high = 1.2f;
    else if (kind == DUEL_UNIT_CONDOR)
        body = SHAPE_DIAMOND, wide = 1.3f, high = 1.3f;
    part(ui, body, x, y, 0, size * wide + 4, size * high + 4, degrees, DARK);
    part(ui, body, x, y, 0, size * wide, size * high, degrees, colour);
    switch (kind) {
    case DUEL_UNIT_HARVESTER:
        part(ui, SHAPE_BOX, x, y, -size * 0.1f, size * 0.5f, size * 0.55f, degrees, deep);
        part(ui, SHAPE_DIAMOND, x, y, -size * 0.1f, size * 0.4f, size * 0.4f, 0, ORE);
        break;
    case DUEL_UNIT_RIFLE:
        part(ui, SHAPE_BOX, x, y, size * 0.3f, size * 0.18f, size * 0.55f, degrees, light);
        break;
    case DUEL_UNIT_ROCKET:
        part(ui, SHAPE_TRIANGLE, x, y, size * 0.18f, size * 0.5f, size * 0.6f, degrees, light);
        break;
    case DUEL_UNIT_TANK:
    case DUEL_UNIT_GOLIATH:
        part(ui, SHAPE_BOX, x, y, size * 0.42f, size * (kind == DUEL_UNIT_TANK ? 0.14f : 0.24f), size * 0.6f, degrees, light);
        part(ui, SHAPE_DISC, x, y, 0, size * 0.48f, size * 0.48f, degrees, light);
        break;
    case DUEL_UNIT_ARTILLERY:
        part(ui, SHAPE_BOX, x, y, size * 0.35f, size * 0.16f, size * 1.0f, degrees, light);
        break;
    case DUEL_UNIT_REPAIR:
        part(ui, SHAPE_BOX, x, y, 0, size * 0.6f, size * 0.2f, degrees, light);
        part(ui, SHAPE_BOX, x, y, 0, size * 0.2f, size * 0.6f, degrees, light);
        break;
    case DUEL_UNIT_FLAK:
        part(ui, SHAPE_RING, x, y, 0, size * 0.7f, size * 0.7f, degrees, light);
        part(ui, SHAPE_DISC, x, y, 0, size * 0.24f, size * 0.24f, degrees, light);
        break;
    case DUEL_UNIT_BOMBER:
        part(ui, SHAPE_DISC, x, y, -size * 0.1f, size * 0.35f, size * 0.35f, degrees, light);
        break;
    case DUEL_UNIT_CONDOR:
        part(ui, SHAPE_RING, x, y, 0, size * 0.6f, size * 0.6f, degrees, light);
        break;
    default:
        part(ui, SHAPE_DISC, x, y, size * 0.1f, size * 0.24f, size * 0.24f, degrees, light);
    }
}

static void health_bar(struct ui *ui, float x, float y, float width, int32_t hp, int32_t whole)
{
    float part = SDL_clamp((float)hp / (float)SDL_max(whole, 1), 0.0f, 1.0f);
    SDL_Color colour = part > 0.66f ? GOOD : part > 0.33f ? WARN : BAD;
    ui_fill(ui, (SDL_FRect){x - 1, y - 1, width + 2, 5}, DARK);
    ui_fill(ui, (SDL_FRect){x, y, width * part, 3}, colour);
}

static void draw_building(struct match *match, struct ui *ui, const duel_skirmish_building *building)
{
    SDL_Color colour = side_colour(building->side);
    float px = match->tile_px;
    SDL_FRect box = {to_window_x(match, (float)building->tile_x) + 1, to_window_y(match, (float)building->tile_y) + 1,
                     (float)building->tiles_x * px - 2, (float)building->tiles_y * px - 2};
    bool captured = ui->captured; /* a building is no panel: the mouse on it is on the map */
    if (!is_in_view(match, box.x + box.w / 2, box.y + box.h / 2, px * 4))
        return;
    ui_panel(ui, box, ui_mix(colour, DARK, 0.62f), building->id == match->building ? INK : ui_mix(colour, DARK, 0.1f));
    ui->captured = captured;
    const char *name = name_of(DUEL_NAMES_BUILDINGS, (uint32_t)building->kind);
    float size = SDL_min(SMALL, box.w / SDL_max(ui_text_width(1, name), 1.0f) * 0.92f);
    ui_text_mid(ui, box.x + box.w / 2, box.y + box.h / 2 - size * 0.6f, size, ui_mix(colour, INK, 0.7f), name);
    if (building->hp < building->hp_whole || building->id == match->building)
        health_bar(ui, box.x + 4, box.y + 5, box.w - 8, building->hp, building->hp_whole);
    if (building->side == match->side && building->queued > 0) {
        float width = (box.w - 8) * (float)building->progress_permille / 1000;
        ui_fill(ui, (SDL_FRect){box.x + 4, box.y + box.h - 8, box.w - 8, 4}, DARK);
        ui_fill(ui, (SDL_FRect){box.x + 4, box.y + box.h - 8, width, 4}, ACCENT);
    }
    if (building->id == match->building && building->has_rally) {
        float x = to_window_x(match, in_tiles(building->rally_x)), y = to_window_y(match, in_tiles(building->rally_y));
        ui_line(ui, box.x + box.w / 2, box.y + box.h / 2, x, y, 1.5f, ui_alpha(GOOD, 140));
        ui_shape(ui, SHAPE_DIAMOND, x, y, 12, 12, 0, GOOD);
    }
}

static void draw_one(struct match *match, struct ui *ui, const struct seen_unit *unit, float moved)
{
    float x = to_window_x(match, in_tiles(unit->from_x) * (1 - moved) + in_tiles(unit->now.x) * moved);
    float y = to_window_y(match, in_tiles(unit->from_y) * (1 - moved) + in_tiles(unit->now.y) * moved);
    float size = SDL_max(in_tiles(match->unit_specs[unit->now.kind].radius) * 2 * match->tile_px * 1.35f, 13.0f);
    if (!is_in_view(match, x, y, size * 2))
        return;
    bool selected = match_is_selected(match, unit->now.id);
    if (match->unit_specs[unit->now.kind].flies) { /* its shadow on the ground; itself above it */
        ui_shape(ui, SHAPE_DISC, x + 5, y + 9, size * 0.9f, size * 0.55f, 0, ui_alpha(DARK, 90));
        y -= 5;
    }
    if (selected)
        ui_shape(ui, SHAPE_RING, x, y, size * 1.7f, size * 1.7f, 0, INK);
    if (unit->now.dug_in)
        ui_shape(ui, SHAPE_RING, x, y, size * 1.45f, size * 1.45f, 0, ui_alpha(WARN, 200));
    draw_unit(ui, unit->now.kind, side_colour(unit->now.side), x, y, size, unit->degrees);
    if (unit->now.load > 0)
        ui_shape(ui, SHAPE_DIAMOND, x + size * 0.5f, y - size * 0.5f, 7, 7, 0, ORE);
    if (unit->now.hp < unit->now.hp_whole || selected)
        health_bar(ui, x - size * 0.6f, y - size * 0.85f - 4, size * 1.2f, unit->now.hp, unit->now.hp_whole);
}

static void draw_units(struct match *match, struct ui *ui, float moved)
{
    for (int flying = 0; flying < 2; flying++) /* what flies is above what drives */
        for (size_t at = 0; at < match->unit_count; at++) {
            const struct seen_unit *unit = &match->units[at];
            if (unit->now.carrier == DUEL_NONE && match->unit_specs[unit->now.kind].flies == flying)
                draw_one(match, ui, unit, moved);
        }
}

/* ---- What flashes. --------------------------------------------------------------------------------------------------- */

static void burst(struct match *match, struct ui *ui, float x, float y, float tiles, float age, SDL_Color colour)
{
    float size = tiles * match->tile_px * (0.5f + age);
    ui_shape(ui, SHAPE_GLOW, x, y, size * 1.6f, size * 1.6f, 0, ui_alpha(colour, (Uint8)(220 * (1 - age))));
    ui_shape(ui, SHAPE_RING, x, y, size, size, 0, ui_alpha(INK, (Uint8)(160 * (1 - age))));
}

static void draw_spark(struct match *match, struct ui *ui, const struct spark *spark, uint64_t now_us)
{
    const duel_skirmish_effect *effect = &spark->effect;
    float ms = (float)(now_us - spark->at_us) / 1000, age = ms / BURST_MS;
    float x = to_window_x(match, in_tiles(effect->x)), y = to_window_y(match, in_tiles(effect->y));
    float to_x = to_window_x(match, in_tiles(effect->to_x)), to_y = to_window_y(match, in_tiles(effect->to_y));
    if (!is_in_view(match, x, y, 400))
        return;
    if (effect->kind == DUEL_EFFECT_SHOT && ms < SHOT_MS) {
        Uint8 alpha = (Uint8)(230 * (1 - ms / SHOT_MS));
        ui_line(ui, x, y, to_x, to_y, 2, ui_alpha(ui_mix(SHOT, side_colour(effect->side), 0.3f), alpha));
        ui_shape(ui, SHAPE_GLOW, to_x, to_y, effect->flag ? 34 : 14, effect->flag ? 34 : 14, 0, ui_alpha(SHOT, alpha));
    }
    if (age >= 1)
        return;
    switch (effect->kind) {
    case DUEL_EFFECT_UNIT_LOST:
        burst(match, ui, x, y, 1.3f, age, (SDL_Color){255, 150, 70, 255});
        break;
    case DUEL_EFFECT_BUILDING_LOST:
        burst(match, ui, x, y, effect->flag ? 2.0f : 4.5f, age, (SDL_Color){255, 120, 60, 255});
        break;
    case DUEL_EFFECT_STRIKE:
        burst(match, ui, x, y, 6.0f, age, (SDL_Color){255, 220, 160, 255});
        break;
    case DUEL_EFFECT_POWER:
    case DUEL_EFFECT_WAVE:
        burst(match, ui, x, y, 4.0f, age, ACCENT);
        break;
    case DUEL_EFFECT_BUILDING_PLACED:
    case DUEL_EFFECT_UNIT_MADE:
        ui_shape(ui, SHAPE_RING, x, y, match->tile_px * (1 + age), match->tile_px * (1 + age), 0,
                 ui_alpha(side_colour(effect->side), (Uint8)(180 * (1 - age))));
        break;
    default:
        break;
    }
}

/* ---- What the player's hands hold. ----------------------------------------------------------------------------------- */

static void draw_armed(struct match *match, struct ui *ui, const struct phone *phone)
{
    float x = ui->mouse_x, y = ui->mouse_y, px = match->tile_px;
    if (match->armed == ARMED_PLACE) {
        const duel_skirmish_spec *spec = &match->building_specs[match->armed_what];
        float tile_x = floorf(to_tile_x(match, x)), tile_y = floorf(to_tile_y(match, y));
        int32_t may = 0;
        if (tile_x >= 0 && tile_y >= 0)
            duel_skirmish_can_place(phone->session, match->side, match->armed_what, (uint32_t)tile_x, (uint32_t)tile_y, &may);
        SDL_FRect box = {to_window_x(match, tile_x), to_window_y(match, tile_y), (float)spec->tiles[0] * px,
                         (float)spec->tiles[1] * px};
        ui_fill(ui, box, ui_alpha(may ? GOOD : BAD, 110));
    } else if (match->armed == ARMED_POWER) {
        float size = in_tiles(match->power_specs[match->armed_what].range) * 2 * px;
        ui_shape(ui, SHAPE_RING, x, y, size, size, 0, WARN);
    } else if (match->armed != ARMED_NOTHING) {
        SDL_Color colour = match->armed == ARMED_ATTACK_MOVE ? BAD : GOOD;
        ui_shape(ui, SHAPE_RING, x, y, 26, 26, 0, colour);
        ui_shape(ui, SHAPE_DISC, x, y, 6, 6, 0, colour);
    }
    if (match->dragging) {
        SDL_FRect box = {SDL_min(x, match->drag_x), SDL_min(y, match->drag_y), fabsf(x - match->drag_x),
                         fabsf(y - match->drag_y)};
        ui_fill(ui, box, ui_alpha(ACCENT, 40));
        SDL_SetRenderDrawColor(ui->renderer, ACCENT.r, ACCENT.g, ACCENT.b, 220);
        SDL_RenderRect(ui->renderer, &box);
    }
    float age = (float)(phone->now_us - match->placed_us) / 1000 / ORDER_MS;
    if (match->placed_us && age < 1) { /* an order takes half a second to land: it is seen at once */
        float size = px * (1.4f - age);
        ui_shape(ui, SHAPE_RING, to_window_x(match, match->place_x), to_window_y(match, match->place_y), size, size, 0,
                 ui_alpha(GOOD, (Uint8)(255 * (1 - age))));
    }
}

void match_draw(struct match *match, struct ui *ui, const struct phone *phone, float moved)
{
    SDL_Rect clip = {(int)match->view.x, (int)match->view.y, (int)match->view.w, (int)match->view.h};
    SDL_FRect map = whole_map(match);
    if (!match->ground)
        make_ground(match, ui);
    update_shade(match);
    ui_fill(ui, (SDL_FRect){0, 0, ui->width, ui->height}, DARK);
    SDL_SetRenderClipRect(ui->renderer, &clip);
    SDL_RenderTexture(ui->renderer, match->ground, NULL, &map);
    draw_ore(match, ui);
    for (size_t at = 0; at < match->building_count; at++)
        draw_building(match, ui, &match->buildings[at]);
    SDL_RenderTexture(ui->renderer, match->shade, NULL, &map);
    draw_units(match, ui, moved);
    for (size_t at = 0; at < SDL_min(match->spark_count, SPARKS_MAX); at++)
        draw_spark(match, ui, &match->sparks[at], phone->now_us);
    draw_armed(match, ui, phone);
    SDL_SetRenderClipRect(ui->renderer, NULL);
}

void match_draw_minimap(struct match *match, struct ui *ui, SDL_FRect box)
{
    float scale = SDL_min(box.w / (float)match->world.width, box.h / (float)match->world.height);
    SDL_FRect map = {box.x + (box.w - (float)match->world.width * scale) / 2,
                     box.y + (box.h - (float)match->world.height * scale) / 2, (float)match->world.width * scale,
                     (float)match->world.height * scale};
    SDL_RenderTexture(ui->renderer, match->ground, NULL, &map);
    SDL_RenderTexture(ui->renderer, match->shade, NULL, &map);
    for (size_t at = 0; at < match->building_count; at++) {
        const duel_skirmish_building *building = &match->buildings[at];
        ui_fill(ui, (SDL_FRect){map.x + (float)building->tile_x * scale, map.y + (float)building->tile_y * scale,
                                (float)building->tiles_x * scale, (float)building->tiles_y * scale},
                side_colour(building->side));
    }
    for (size_t at = 0; at < match->unit_count; at++) {
        const duel_skirmish_unit *unit = &match->units[at].now;
        ui_fill(ui, (SDL_FRect){map.x + in_tiles(unit->x) * scale - 1.5f, map.y + in_tiles(unit->y) * scale - 1.5f, 3, 3},
                ui_mix(side_colour(unit->side), INK, 0.35f));
    }
    SDL_FRect seen = {map.x + to_tile_x(match, match->view.x) * scale, map.y + to_tile_y(match, match->view.y) * scale,
                      match->view.w / match->tile_px * scale, match->view.h / match->tile_px * scale};
    SDL_SetRenderDrawColor(ui->renderer, INK.r, INK.g, INK.b, 200);
    SDL_RenderRect(ui->renderer, &seen);
    if (ui->left_down && !match->dragging && ui_hovers(ui, map)) {
        match->look_x = (ui->mouse_x - map.x) / scale;
        match->look_y = (ui->mouse_y - map.y) / scale;
    }
}
