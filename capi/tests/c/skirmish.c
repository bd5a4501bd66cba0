/* The skirmish level: two phones over a packet air, an AI on each side, to a decision; then the record again. */
#include "check.h"

#define UNITS_MAX 400
#define TILES_MAX (128 * 128)

static duel_skirmish_unit units[UNITS_MAX];
static duel_skirmish_building buildings[UNITS_MAX];
static uint8_t terrain[TILES_MAX], fog[TILES_MAX];
static uint16_t ore[TILES_MAX];
static long log_lines, effects_of[16];

static void count_line(void *userdata, const char *text)
{
    CHECK(userdata == &log_lines && text[0] != 0);
    log_lines++;
}

static void names_and_numbers(void)
{
    char name[32];
    uint32_t width, height;
    duel_map map = {0, 0, 0};
    SIZED(duel_skirmish_spec, spec);
    int32_t table;
    uint32_t index, count = 0;

    OK(duel_skirmish_name(DUEL_NAMES_UNITS, DUEL_UNIT_TANK, name, sizeof name));
    CHECK(strcmp(name, "tank") == 0);
    OK(duel_skirmish_name(DUEL_NAMES_UNITS, DUEL_UNIT_TANK, name, 3));
    CHECK(strcmp(name, "ta") == 0);
    for (table = DUEL_NAMES_MAPS; table <= DUEL_NAMES_REFUSALS; table++)
        for (index = 0; duel_skirmish_name(table, index, name, sizeof name) == DUEL_OK; index++)
            count++;
    CHECK(count > 80);
    EXPECT(DUEL_BAD_ARGUMENT, duel_skirmish_name(9, 0, name, sizeof name));

    OK(duel_skirmish_map_size(&map, &width, &height));
    CHECK(width >= 32 && width <= 128 && height >= 32 && height <= 128);
    map.index = 99;
    EXPECT(DUEL_REFUSED, duel_skirmish_map_size(&map, &width, &height));

    OK(duel_skirmish_get_spec(DUEL_NAMES_UNITS, DUEL_UNIT_RIFLE, &spec));
    CHECK(spec.cost > 0 && spec.boards && !spec.flies && spec.made_in == DUEL_BUILDING_BARRACKS);
    OK(duel_skirmish_get_spec(DUEL_NAMES_UNITS, DUEL_UNIT_BOMBER, &spec));
    CHECK(spec.flies && !spec.boards && spec.made_in == DUEL_BUILDING_AIRFIELD);
    OK(duel_skirmish_get_spec(DUEL_NAMES_BUILDINGS, DUEL_BUILDING_HQ, &spec));
    CHECK(spec.cost == DUEL_NONE && spec.tiles[0] > 1);
    OK(duel_skirmish_get_spec(DUEL_NAMES_POWERS, DUEL_POWER_STRIKE, &spec));
    CHECK(spec.cost > 0 && spec.range > 0);
    EXPECT(DUEL_BAD_ARGUMENT, duel_skirmish_get_spec(DUEL_NAMES_MAPS, 0, &spec));
    EXPECT(DUEL_BAD_ARGUMENT, duel_skirmish_get_spec(DUEL_NAMES_UNITS, 12, &spec));
}

/* Everything that draws, on a session that has a world; what one side sees is part of what there is. */
static void draw(duel_session *session)
{
    SIZED(duel_skirmish_world, world);
    size_t all, seen, at;
    uint32_t banned_units, banned_buildings;
    int32_t may;
    long in_sight = 0, with_ore = 0;

    OK(duel_skirmish_get_world(session, &world));
    OK(duel_skirmish_get_units(session, DUEL_NONE, units, UNITS_MAX, &all));
    CHECK(all == world.units && all <= UNITS_MAX);
    OK(duel_skirmish_get_units(session, DUEL_SIDE_BLUE, units, UNITS_MAX, &seen));
    CHECK(seen <= all);
    for (at = 0; at < seen; at++)
        CHECK(units[at].hp > 0 && units[at].hp <= units[at].hp_whole && units[at].x >= 0);
    OK(duel_skirmish_get_units(session, DUEL_NONE, NULL, 0, &all));
    CHECK(all == world.units);
    OK(duel_skirmish_get_buildings(session, DUEL_NONE, buildings, UNITS_MAX, &all));
    CHECK(all == world.buildings);
    OK(duel_skirmish_get_buildings(session, DUEL_SIDE_RED, buildings, UNITS_MAX, &seen));
    CHECK(seen <= all);
    EXPECT(DUEL_BAD_ARGUMENT, duel_skirmish_get_units(session, 2, units, UNITS_MAX, &all));

    OK(duel_skirmish_get_terrain(session, terrain, TILES_MAX));
    OK(duel_skirmish_get_ore(session, ore, TILES_MAX));
    OK(duel_skirmish_get_fog(session, DUEL_SIDE_BLUE, fog, TILES_MAX));
    for (at = 0; at < (size_t)world.width * world.height; at++) {
        CHECK(terrain[at] <= DUEL_TERRAIN_WATER && fog[at] <= 2);
        in_sight += fog[at] == 2;
        with_ore += ore[at] > 0;
    }
    CHECK(in_sight > 0 && with_ore > 0);
    EXPECT(DUEL_TOO_SMALL, duel_skirmish_get_terrain(session, terrain, 10));

    OK(duel_skirmish_bans(session, &banned_units, &banned_buildings));
    CHECK(banned_units == 0 && banned_buildings == 0);
    OK(duel_skirmish_can_place(session, DUEL_SIDE_BLUE, DUEL_BUILDING_REACTOR, 0, 0, &may));
    CHECK(may == 0);
    EXPECT(DUEL_BAD_ARGUMENT, duel_skirmish_can_place(session, DUEL_SIDE_BLUE, 8, 0, 0, &may));
}

/* Before the first tick: a home with room around it, and a peer out of sight. */
static void draw_the_start(duel_session *session)
{
    SIZED(duel_skirmish_world, world);
    size_t all, seen;
    uint32_t x, y;
    int32_t may;
    long places = 0;

    OK(duel_skirmish_get_world(session, &world));
    CHECK(world.tick == 0);
    OK(duel_skirmish_get_units(session, DUEL_NONE, NULL, 0, &all));
    OK(duel_skirmish_get_units(session, DUEL_SIDE_BLUE, NULL, 0, &seen));
    CHECK(seen > 0 && seen < all);
    for (y = 0; y < world.height; y++)
        for (x = 0; x < world.width; x++) {
            OK(duel_skirmish_can_place(session, DUEL_SIDE_BLUE, DUEL_BUILDING_REACTOR, x, y, &may));
            places += may;
        }
    CHECK(places > 0 && places < (long)(world.width * world.height));
}

/* A person's orders beside the AI's: the first scout goes home, and a Condor that is not there is boarded. */
static void give_orders(duel_session *session, uint64_t now_us)
{
    SIZED(duel_skirmish_order, order);
    SIZED(duel_skirmish_world, world);
    SIZED(duel_skirmish_order, shown);
    size_t count, at;
    uint32_t scout = 0;

    OK(duel_skirmish_get_world(session, &world));
    OK(duel_skirmish_get_units(session, DUEL_NONE, units, UNITS_MAX, &count));
    for (at = 0; at < count; at++)
        if (units[at].kind == DUEL_UNIT_SCOUT && units[at].side == DUEL_SIDE_BLUE)
            scout = units[at].id;
    CHECK(scout != 0);
    order.kind = DUEL_ORDER_MOVE;
    order.units = &scout;
    order.unit_count = 1;
    order.x = (int32_t)world.homes[0][0] * DUEL_SUBS_PER_TILE;
    order.y = (int32_t)world.homes[0][1] * DUEL_SUBS_PER_TILE;
    OK(duel_skirmish_give(session, now_us, &order));
    order.kind = DUEL_ORDER_BOARD;
    order.object = 9999;
    OK(duel_skirmish_give(session, now_us, &order));
    /* Nothing was stepped since: both are on their way. */
    OK(duel_skirmish_in_flight(session, 0, &shown));
    CHECK(shown.kind == DUEL_ORDER_MOVE && shown.unit_count == 1 && shown.units[0] == scout && shown.object == 0);
    CHECK(shown.x / DUEL_SUBS_PER_TILE == (int32_t)world.homes[0][0]);
    OK(duel_skirmish_in_flight(session, 1, &shown));
    CHECK(shown.kind == DUEL_ORDER_BOARD && shown.units[0] == scout && shown.object == 9999);
    EXPECT(DUEL_EMPTY, duel_skirmish_in_flight(session, 2, &shown));
    EXPECT(DUEL_UNSUPPORTED, duel_session_in_flight(session, 0, NULL));
    order.kind = DUEL_ORDER_MOVE;
    order.unit_count = 0;
    EXPECT(DUEL_REFUSED, duel_skirmish_give(session, now_us, &order));
    CHECK(strlen(duel_session_detail(session)) > 0);
    order.kind = 20;
    EXPECT(DUEL_BAD_ARGUMENT, duel_skirmish_give(session, now_us, &order));
    order.kind = DUEL_ORDER_PRODUCE;
    order.what = 12;
    EXPECT(DUEL_BAD_ARGUMENT, duel_skirmish_give(session, now_us, &order));
    order.kind = DUEL_ORDER_MOVE;
    order.unit_count = 1;
    order.units = NULL;
    EXPECT(DUEL_NULL, duel_skirmish_give(session, now_us, &order));
    EXPECT(DUEL_UNSUPPORTED, duel_session_order(session, now_us, (const uint8_t *)"a", 8, 0));
}

static void take_effects(duel_session *session)
{
    SIZED(duel_skirmish_effect, effect);
    while (duel_skirmish_poll_effect(session, &effect) == DUEL_OK) {
        CHECK(effect.kind >= DUEL_EFFECT_SHOT && effect.kind <= DUEL_EFFECT_RESIGNED);
        CHECK(effect.seen_by <= 3);
        effects_of[effect.kind]++;
    }
}

static void play(duel_session *phones[2], duel_session_status status[2])
{
    uint64_t now_us;
    int phone;
    uint32_t ticks;

    for (now_us = 0; now_us < 1800u * S; now_us += 20 * MS) {
        for (phone = 0; phone < 2; phone++) {
            duel_session *session = phones[phone];
            OK(duel_session_pump(session, now_us));
            OK(duel_session_get_status(session, now_us, &status[phone]));
            if (status[phone].pairing == DUEL_PAIRING_PICKING)
                OK(duel_session_pick(session, 1));
            if (status[phone].phase == DUEL_PHASE_READY) {
                EXPECT(DUEL_BAD_ARGUMENT, duel_skirmish_begin(session, now_us, 4, 1));
                CHECK(strstr(duel_session_detail(session), "ai 4: 0 to 3"));
                OK(duel_skirmish_begin(session, now_us, DUEL_AI_NORMAL, 7u + (uint32_t)phone));
                EXPECT(DUEL_NOT_NOW, duel_skirmish_begin(session, now_us, DUEL_AI_NORMAL, 1));
                draw(session);
                draw_the_start(session);
                if (phone == 0)
                    give_orders(session, now_us);
            }
            CHECK(duel_session_run(session, now_us, &ticks) >= 0 && ticks <= 5);
            take_effects(session);
        }
        if (status[0].settled && status[1].settled)
            return;
    }
    CHECK(!"a decision within half an hour");
}

/* Two phones that know nothing of each other yet. */
static void meet(uint32_t mutators, duel_link *links[2], duel_session *phones[2])
{
    SIZED(duel_practice_config, air);
    SIZED(duel_session_config, config);
    int phone;

    air.seed = 3;
    OK(duel_air_new(&air, NULL, 0, &links[0], &links[1]));
    config.mutators = mutators;
    config.log = count_line;
    config.log_userdata = &log_lines;
    for (phone = 0; phone < 2; phone++) {
        config.role = phone;
        config.seed = 100u + (uint64_t)phone;
        OK(duel_skirmish_new(&config, links[phone], NULL, 0, &phones[phone]));
    }
}

/* A match whose mutator bans something says what. */
static void bans(void)
{
    duel_link *links[2];
    duel_session *phones[2];
    SIZED(duel_session_status, status);
    char name[32] = "";
    uint32_t grounded = 0, banned_units = 0, banned_buildings = 0;
    uint64_t now_us;
    int phone;

    while (strcmp(name, "grounded") != 0)
        OK(duel_skirmish_name(DUEL_NAMES_MUTATORS, grounded++, name, sizeof name));
    meet(1u << (grounded - 1), links, phones);
    for (now_us = 0; status.phase != DUEL_PHASE_READY && now_us < 120u * S; now_us += 20 * MS)
        for (phone = 0; phone < 2; phone++) {
            OK(duel_session_pump(phones[phone], now_us));
            OK(duel_session_get_status(phones[phone], now_us, &status));
            if (status.pairing == DUEL_PAIRING_PICKING)
                OK(duel_session_pick(phones[phone], 0));
        }
    OK(duel_skirmish_begin(phones[1], now_us, DUEL_AI_NONE, 0));
    OK(duel_skirmish_bans(phones[1], &banned_units, &banned_buildings));
    CHECK((banned_units & 1u << DUEL_UNIT_BOMBER) && !(banned_units & 1u << DUEL_UNIT_TANK));
    CHECK(banned_buildings == 1u << DUEL_BUILDING_AIRFIELD);
    for (phone = 0; phone < 2; phone++) {
        OK(duel_session_free(phones[phone]));
        OK(duel_link_free(links[phone]));
    }
}

static uint8_t *record_of(duel_session *session, size_t *length)
{
    uint8_t *record;
    OK(duel_session_record(session, NULL, 0, length));
    record = malloc(*length);
    CHECK(record);
    EXPECT(DUEL_TOO_SMALL, duel_session_record(session, record, *length - 1, length));
    OK(duel_session_record(session, record, *length, length));
    CHECK(record[0] == '{' && record[*length - 1] == '\n');
    return record;
}

static void replay(const uint8_t *record, size_t length, uint32_t ticks)
{
    char why[DUEL_TEXT_BYTES];
    uint8_t *changed = malloc(length);
    duel_session *session = NULL;
    SIZED(duel_replay_report, report);
    SIZED(duel_session_status, status);
    uint32_t stepped;
    uint64_t now_us = 0;
    size_t saved;

    CHECK(changed);
    memcpy(changed, record, length);
    changed[length / 2] ^= 1;
    EXPECT(DUEL_BAD_DATA, duel_replay_new(changed, length, why, sizeof why, &session));
    CHECK(session == NULL && strlen(why) > 0);
    free(changed);

    OK(duel_replay_new(record, length, NULL, 0, &session));
    OK(duel_replay_set_speed(session, 20000));
    while (now_us < 20 * S) {
        OK(duel_session_run(session, now_us, &stepped));
        now_us += 20 * MS;
    }
    OK(duel_session_set_paused(session, now_us, 1));
    OK(duel_session_run(session, now_us + 5 * S, &stepped));
    CHECK(stepped == 0);
    OK(duel_session_set_paused(session, now_us, 0));
    take_effects(session);
    draw(session);
    EXPECT(DUEL_UNSUPPORTED, duel_session_pump(session, now_us));
    EXPECT(DUEL_UNSUPPORTED, duel_session_resign(session, now_us));
    OK(duel_replay_seek(session, 100));
    OK(duel_replay_get_report(session, &report));
    CHECK(report.ticks == 100 && report.hashes_equal == 2 && !report.agrees);
    OK(duel_replay_seek(session, 0xFFFFFFFFu));
    OK(duel_replay_get_report(session, &report));
    CHECK(report.ticks == ticks && report.ticks_recorded == ticks && report.agrees);
    CHECK(report.differs_at == DUEL_NONE && report.builds[0] == report.builds[1]);
    OK(duel_session_get_status(session, now_us, &status));
    CHECK(status.phase == DUEL_PHASE_OVER && status.end == DUEL_END_DECIDED);
    OK(duel_session_save(session, NULL, 0, &saved));
    CHECK(saved > 1000);
    EXPECT(DUEL_BAD_ARGUMENT, duel_replay_set_speed(session, 100001));
    OK(duel_session_free(session));
}

int main(void)
{
    SIZED(duel_agreed, agreed);
    duel_link *links[2];
    duel_session *phones[2];
    duel_session_status status[2];
    uint8_t *records[2];
    size_t lengths[2];
    int phone;

    names_and_numbers();
    bans();
    log_lines = 0;
    meet(1 /* blitz */, links, phones);
    for (phone = 0; phone < 2; phone++) {
        memset(&status[phone], 0, sizeof status[phone]);
        status[phone].struct_size = sizeof status[phone];
        EXPECT(DUEL_NOT_NOW, duel_skirmish_begin(phones[phone], 0, DUEL_AI_EASY, 1));
    }
    play(phones, status);
    CHECK(status[0].end == DUEL_END_DECIDED && status[0].sync == DUEL_SYNC_IN_SYNC);
    CHECK(status[0].winner == status[1].winner && status[0].tick == status[1].tick);
    CHECK(log_lines > 4 && effects_of[DUEL_EFFECT_SHOT] > 100 && effects_of[DUEL_EFFECT_UNIT_LOST] > 5);
    CHECK(effects_of[DUEL_EFFECT_REFUSED] > 0);
    OK(duel_session_agreed(phones[1], &agreed));
    CHECK(agreed.role == DUEL_ROLE_GUEST && agreed.local_side == DUEL_SIDE_RED && agreed.mutators == 1);

    for (phone = 0; phone < 2; phone++)
        records[phone] = record_of(phones[phone], &lengths[phone]);
    CHECK(lengths[0] == lengths[1] && memcmp(records[0], records[1], lengths[0]) == 0);
    replay(records[0], lengths[0], status[0].tick);

    for (phone = 0; phone < 2; phone++) {
        free(records[phone]);
        OK(duel_link_free(links[phone])); /* the session keeps it alive */
        OK(duel_session_pump(phones[phone], 3600u * (uint64_t)S));
        OK(duel_session_free(phones[phone]));
    }
    printf("skirmish: %u ticks, winner %d, %ld log lines\n", (unsigned)status[0].tick, (int)status[0].winner,
           log_lines);
    return 0;
}
