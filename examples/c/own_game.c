/* A match of a game of one's own: two phones in a simulated room pair by sound and play "Paint".
 *
 *   cc -std=c99 own_game.c -I../../include -L../../lib -lsound_duel -lm
 *
 * The game: a board of 8 by 8. Each side has a brush; it orders the brush to go to a cell, and every tick the brush moves
 * one step and paints the cell it is on. After 20 seconds, whoever has painted more has won. Both phones run the same
 * world; only orders cross the air. The players here are two small bots; in your engine they are people.
 */
#include "duel.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 8, TICKS = 200, NOBODY = 2 };

/* ---- The game: nothing here knows that there is a network, or sound. ------------------------------------------------- */

struct world {
    uint8_t owner[SIDE][SIDE];          /* DUEL_SIDE_BLUE, DUEL_SIDE_RED or NOBODY */
    uint8_t brush_x[2], brush_y[2];     /* where each side's brush is */
    uint8_t target_x[2], target_y[2];   /* where it goes */
    uint32_t tick;
};

static void world_new(struct world *world, uint32_t seed)
{
    memset(world, 0, sizeof *world); /* padding too: the hash reads every byte */
    memset(world->owner, NOBODY, sizeof world->owner);
    world->brush_y[0] = (uint8_t)(seed % SIDE); /* the agreed seed is the only chance there is */
    world->brush_x[1] = SIDE - 1;
    world->brush_y[1] = (uint8_t)(SIDE - 1 - seed % SIDE);
    memcpy(world->target_x, world->brush_x, 2);
    memcpy(world->target_y, world->brush_y, 2);
}

static void towards(uint8_t *at, uint8_t target)
{
    if (*at < target)
        ++*at;
    else if (*at > target)
        --*at;
}

/* An order is 6 bits: the column and the row to go to. */
static void world_step(void *userdata, const duel_order *orders, size_t count)
{
    struct world *world = userdata;
    size_t i;
    int side;
    for (i = 0; i < count; i++) {
        if (orders[i].bit_count != 6)
            continue; /* never trust what crosses the air more than your own code */
        world->target_x[orders[i].side] = orders[i].bits[0] >> 5;
        world->target_y[orders[i].side] = orders[i].bits[0] >> 2 & 7;
    }
    for (side = 0; side < 2; side++) {
        towards(&world->brush_x[side], world->target_x[side]);
        towards(&world->brush_y[side], world->target_y[side]);
        world->owner[world->brush_y[side]][world->brush_x[side]] = (uint8_t)side;
    }
    world->tick++;
}

/* FNV-1a over all that can affect the future. */
static uint64_t world_hash(void *userdata)
{
    const uint8_t *byte = userdata;
    uint64_t hash = 0xCBF29CE484222325u;
    size_t i;
    for (i = 0; i < sizeof(struct world); i++)
        hash = (hash ^ byte[i]) * 0x100000001B3u;
    return hash;
}

static int cells_of(const struct world *world, int side)
{
    int x, y, cells = 0;
    for (y = 0; y < SIDE; y++)
        for (x = 0; x < SIDE; x++)
            cells += world->owner[y][x] == side;
    return cells;
}

static int32_t world_outcome(void *userdata, int32_t *winner)
{
    const struct world *world = userdata;
    int blue = cells_of(world, DUEL_SIDE_BLUE), red = cells_of(world, DUEL_SIDE_RED);
    if (world->tick < TICKS)
        return 0;
    *winner = blue > red ? DUEL_SIDE_BLUE : red > blue ? DUEL_SIDE_RED : DUEL_NONE;
    return 1;
}

static void draw(const struct world *world)
{
    int x, y;
    for (y = 0; y < SIDE; y++) {
        for (x = 0; x < SIDE; x++)
            putchar("BR."[world->owner[y][x]]);
        putchar('\n');
    }
}

/* ---- A phone: a session, a world, and a player. ---------------------------------------------------------------------- */

struct phone {
    duel_link *link;
    duel_pump *pump;
    duel_session *session;
    duel_session_status status;
    struct world world;
    uint32_t dice;
};

static int phone_new(struct phone *phone, int role)
{
    duel_link_config link = {0};
    duel_session_config config = {0};
    duel_catalogue catalogue = {0}; /* one map, no mutators, no openers */
    char why[DUEL_TEXT_BYTES];

    link.struct_size = sizeof link;
    link.role = role;
    link.listen = role == DUEL_ROLE_GUEST ? DUEL_LISTEN_DETECT : DUEL_LISTEN_PEER;
    config.struct_size = sizeof config;
    config.role = role;
    config.build = 1;                           /* yours: phones of different builds refuse to play */
    config.game = "paint";
    config.seed = 1234567u + (uint64_t)role;    /* yours: from the system's random source */
    catalogue.struct_size = sizeof catalogue;
    phone->status.struct_size = sizeof phone->status;
    phone->dice = 77u + (uint32_t)role;
    if (duel_link_new(&link, why, sizeof why, &phone->link, &phone->pump)
        || duel_session_new(&config, &catalogue, phone->link, why, sizeof why, &phone->session)) {
        printf("phone %d: %s\n", role, why);
        return 0;
    }
    return 1;
}

static void phone_free(struct phone *phone)
{
    duel_session_free(phone->session);
    duel_link_free(phone->link);
    duel_pump_free(phone->pump);
}

/* The match is agreed: build the world from it, the same on both phones. */
static void begin(struct phone *phone, uint64_t now_us)
{
    duel_agreed agreed = {0};
    duel_game game = {0};
    agreed.struct_size = sizeof agreed;
    duel_session_agreed(phone->session, &agreed);
    world_new(&phone->world, agreed.seed);
    game.struct_size = sizeof game;
    game.userdata = &phone->world;
    game.step = world_step;
    game.hash = world_hash;
    game.outcome = world_outcome;
    duel_session_begin(phone->session, now_us, &game);
}

/* The player: every second, off to another cell. */
static void play(struct phone *phone, uint64_t now_us)
{
    uint8_t order;
    phone->dice = phone->dice * 1664525u + 1013904223u;
    order = (uint8_t)(phone->dice >> 26 << 2);
    if (duel_session_order(phone->session, now_us, &order, 6, 0) < 0)
        printf("order refused: %s\n", duel_session_detail(phone->session));
}

/* One frame of the game loop. */
static void frame(struct phone *phone, uint64_t now_us)
{
    uint32_t tick = phone->status.tick;
    duel_session_pump(phone->session, now_us);
    duel_session_get_status(phone->session, now_us, &phone->status);
    if (phone->status.pairing == DUEL_PAIRING_PICKING)
        duel_session_pick(phone->session, DUEL_NO_OPENER);
    if (phone->status.phase == DUEL_PHASE_READY)
        begin(phone, now_us);
    if (phone->status.phase == DUEL_PHASE_PLAYING && phone->status.tick / 10 != tick / 10)
        play(phone, now_us);
    duel_session_run(phone->session, now_us, NULL);
}

int main(void)
{
    static struct phone phones[2];
    duel_room_config config = {0};
    duel_room *room;
    uint64_t now_us = 0;
    int in_sync;

    config.struct_size = sizeof config;
    if (duel_room_new(&config, NULL, 0, &room) || !phone_new(&phones[0], DUEL_ROLE_HOST)
        || !phone_new(&phones[1], DUEL_ROLE_GUEST))
        return 1;
    while (!(phones[0].status.settled && phones[1].status.settled) && now_us < 120000000) {
        now_us += 16000;
        duel_room_run(room, now_us, phones[0].pump, phones[1].pump); /* live: your audio callback */
        frame(&phones[0], now_us);
        frame(&phones[1], now_us);
    }
    draw(&phones[0].world);
    in_sync = phones[0].status.sync == DUEL_SYNC_IN_SYNC && phones[1].status.sync == DUEL_SYNC_IN_SYNC;
    printf("blue %d, red %d after %u ticks and %.1f s of sound; %s\n", cells_of(&phones[0].world, 0),
           cells_of(&phones[0].world, 1), (unsigned)phones[0].status.tick, (double)now_us / 1e6,
           in_sync ? "both phones in sync" : "NOT in sync");
    phone_free(&phones[0]);
    phone_free(&phones[1]);
    duel_room_free(room);
    return !in_sync;
}
