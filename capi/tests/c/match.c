/* The match level: two phones in one room pair by sound and play a game of the host's own; resignation, pause, leaving,
 * rematch and scores over practice links. */
#include "check.h"

/* A rope between two sides: whoever pulls it 60 further than the other wins. */
struct rope {
    uint32_t pulled[2];
    uint32_t ticks;
    int broken;             /* a game that is not deterministic */
    duel_session *session;  /* to call back into, which is refused */
};

static void rope_step(void *userdata, const duel_order *orders, size_t count)
{
    struct rope *rope = userdata;
    size_t at;
    for (at = 0; at < count; at++) {
        CHECK(orders[at].bit_count == 8 && orders[at].bits[1] == 0);
        CHECK(at == 0 || orders[at - 1].side <= orders[at].side);
        rope->pulled[orders[at].side] += orders[at].bits[0];
    }
    rope->ticks++;
    if (rope->broken)
        rope->pulled[0] += (uint32_t)(rope->broken++ & 1);
    if (rope->session) {
        EXPECT(DUEL_BUSY, duel_session_pump(rope->session, 0));
        EXPECT(DUEL_BUSY, duel_session_free(rope->session));
    }
}

static uint64_t rope_hash(void *userdata)
{
    const struct rope *rope = userdata;
    return ((uint64_t)rope->pulled[0] << 40) ^ ((uint64_t)rope->pulled[1] << 20) ^ rope->ticks;
}

static int32_t rope_outcome(void *userdata, int32_t *winner)
{
    const struct rope *rope = userdata;
    if (rope->pulled[0] >= rope->pulled[1] + 60)
        *winner = DUEL_SIDE_BLUE;
    else if (rope->pulled[1] >= rope->pulled[0] + 60)
        *winner = DUEL_SIDE_RED;
    else
        return 0;
    return 1;
}

static size_t rope_save(void *userdata, uint8_t *bytes, size_t capacity)
{
    const struct rope *rope = userdata;
    if (capacity >= 12) {
        memcpy(bytes, rope->pulled, 8);
        memcpy(bytes + 8, &rope->ticks, 4);
    }
    return 12;
}

static int32_t rope_load(void *userdata, const uint8_t *bytes, size_t length)
{
    struct rope *rope = userdata;
    if (length != 12)
        return 1;
    memcpy(rope->pulled, bytes, 8);
    memcpy(&rope->ticks, bytes + 8, 4);
    return 0;
}

static duel_game game_of(struct rope *rope)
{
    SIZED(duel_game, game);
    memset(rope, 0, sizeof *rope);
    game.userdata = rope;
    game.step = rope_step;
    game.hash = rope_hash;
    game.outcome = rope_outcome;
    game.save = rope_save;
    game.load = rope_load;
    return game;
}

/* Over a relay, whose own round trip calls for 3. */
#define FORCED_DELAY 6

/* Two phones, whatever joins them. */
struct pair {
    duel_link *links[2];
    duel_pump *pumps[2];
    duel_room *room;
    duel_session *phones[2];
    struct rope ropes[2];
    duel_session_status status[2];
    uint64_t now_us;
    uint8_t pulls[2]; /* how hard each pulls, every fifth tick; 0: not at all */
    int relay, begin;
    long events[8];
};

static void open_sessions(struct pair *pair)
{
    SIZED(duel_session_config, config);
    SIZED(duel_catalogue, catalogue);
    int phone;
    catalogue.openers = 2;
    catalogue.mutators = 3;
    catalogue.blocked_by[0] = 1; /* mutator 0 blocks opener 0 */
    config.game = "rope";
    config.build = 7;
    config.mutators = 1;
    config.delay_ticks = pair->relay ? FORCED_DELAY : 0;
    for (phone = 0; phone < 2; phone++) {
        config.role = phone;
        config.seed = 11u + (uint64_t)phone;
        OK(duel_session_new(&config, &catalogue, pair->links[phone], NULL, 0, &pair->phones[phone]));
        memset(&pair->status[phone], 0, sizeof pair->status[phone]);
        pair->status[phone].struct_size = sizeof pair->status[phone];
    }
    pair->begin = 1;
}

/* Carries a relay's messages from one end to the other, in two pieces each. */
static void carry(duel_link *from, duel_link *to)
{
    uint8_t message[DUEL_MESSAGE_BYTES];
    size_t length;
    while (duel_link_poll_message(from, message, sizeof message, &length) == DUEL_OK) {
        OK(duel_link_push_message(to, message, length / 2));
        OK(duel_link_push_message(to, message + length / 2, length - length / 2));
    }
}

static void lobby(struct pair *pair, int phone)
{
    duel_session *session = pair->phones[phone];
    duel_session_status *status = &pair->status[phone];
    uint32_t openers;
    if (status->pairing == DUEL_PAIRING_PICKING) {
        OK(duel_session_openers(session, &openers));
        CHECK(openers == 2 && status->pick_left_ms > 0 && status->offer_mutators == 1);
        EXPECT(DUEL_REFUSED, duel_session_pick(session, 0));
        EXPECT(DUEL_BAD_ARGUMENT, duel_session_pick(session, 256));
        OK(duel_session_pick(session, 1));
        EXPECT(DUEL_REFUSED, duel_session_pick(session, 1));
    }
    if (status->phase == DUEL_PHASE_READY && pair->begin) {
        duel_game game = game_of(&pair->ropes[phone]);
        SIZED(duel_agreed, agreed);
        OK(duel_session_agreed(session, &agreed));
        CHECK(agreed.openers[0] == 1 && agreed.openers[1] == 1 && agreed.delay_ticks >= 3);
        CHECK(agreed.role == phone && agreed.mutators == 1);
        CHECK(!pair->relay || agreed.delay_ticks == FORCED_DELAY);
        pair->ropes[phone].session = session;
        OK(duel_session_begin(session, pair->now_us, &game));
        EXPECT(DUEL_NOT_NOW, duel_session_begin(session, pair->now_us, &game));
    }
}

/* One frame of both phones' game loops. */
static void frame(struct pair *pair)
{
    int phone;
    pair->now_us += 20 * MS;
    if (pair->room)
        OK(duel_room_run(pair->room, pair->now_us, pair->pumps[0], pair->pumps[1]));
    if (pair->relay) {
        carry(pair->links[0], pair->links[1]);
        carry(pair->links[1], pair->links[0]);
    }
    for (phone = 0; phone < 2; phone++) {
        duel_session *session = pair->phones[phone];
        duel_session_status *status = &pair->status[phone];
        SIZED(duel_session_event, event);
        uint32_t ticks, tick = status->tick;
        OK(duel_session_pump(session, pair->now_us));
        OK(duel_session_get_status(session, pair->now_us, status));
        lobby(pair, phone);
        CHECK(duel_session_run(session, pair->now_us, &ticks) >= 0);
        if (status->phase == DUEL_PHASE_PLAYING && pair->pulls[phone] && status->tick % 5 == 0
            && status->tick != tick)
            OK(duel_session_order(session, pair->now_us, &pair->pulls[phone], 8, 0));
        while (duel_session_poll_event(session, &event) == DUEL_OK) {
            CHECK(event.kind >= DUEL_EVENT_PHASE && event.kind <= DUEL_EVENT_PEER_IN_LOBBY && event.text[0]);
            pair->events[event.kind]++;
        }
    }
}

/* Runs until both phones are in this phase, or beyond. */
static void until(struct pair *pair, int32_t phase, uint32_t seconds)
{
    uint64_t end_us = pair->now_us + (uint64_t)seconds * S;
    while (pair->status[0].phase < phase || pair->status[1].phase < phase) {
        CHECK(pair->now_us < end_us);
        frame(pair);
    }
}

static void settle(struct pair *pair)
{
    uint64_t end_us = pair->now_us + 60u * S;
    while (!pair->status[0].settled || !pair->status[1].settled) {
        CHECK(pair->now_us < end_us);
        frame(pair);
    }
}

static void close_pair(struct pair *pair)
{
    int phone;
    for (phone = 0; phone < 2; phone++) {
        OK(duel_session_close(pair->phones[phone]));
        OK(duel_session_free(pair->phones[phone]));
        OK(duel_link_free(pair->links[phone]));
        OK(duel_pump_free(pair->pumps[phone]));
    }
    OK(duel_room_free(pair->room));
}

static void by_sound(void)
{
    struct pair pair;
    char *records[2];
    size_t lengths[2];
    SIZED(duel_room_config, room);
    SIZED(duel_link_config, link);
    duel_score_book book;
    int phone;

    memset(&pair, 0, sizeof pair);
    memset(&book, 0, sizeof book);
    room.seed = 5;
    room.skew_ppm[1] = 60;
    OK(duel_room_new(&room, NULL, 0, &pair.room));
    OK(duel_link_new(&link, NULL, 0, &pair.links[0], &pair.pumps[0]));
    link.role = DUEL_ROLE_GUEST;
    link.listen = DUEL_LISTEN_DETECT;
    OK(duel_link_new(&link, NULL, 0, &pair.links[1], &pair.pumps[1]));
    open_sessions(&pair);
    EXPECT(DUEL_TAKEN, duel_link_send(pair.links[0], NULL, 0));
    EXPECT(DUEL_NOT_NOW, duel_session_record(pair.phones[0], NULL, 0, &lengths[0]));
    EXPECT(DUEL_NOT_NOW, duel_session_resign(pair.phones[0], 0));
    pair.pulls[0] = 40;
    pair.pulls[1] = 20;
    until(&pair, DUEL_PHASE_PLAYING, 60);
    EXPECT(DUEL_EMPTY, duel_session_count_score(pair.phones[0], pair.now_us, 0, &book));
    OK(duel_session_count_score(pair.phones[0], pair.now_us, 1, &book));
    CHECK(book.abandoned == 1);
    settle(&pair);
    for (phone = 0; phone < 2; phone++) {
        duel_session_status *status = &pair.status[phone];
        CHECK(status->end == DUEL_END_DECIDED && status->sync == DUEL_SYNC_IN_SYNC && !status->resigned);
        CHECK(status->winner == DUEL_SIDE_BLUE && status->round_trip_us > 200 * MS);
        CHECK(status->score == (phone ? DUEL_SCORE_LOSS : DUEL_SCORE_WIN));
        OK(duel_session_record(pair.phones[phone], NULL, 0, &lengths[phone]));
        records[phone] = malloc(lengths[phone]);
        CHECK(records[phone]);
        OK(duel_session_record(pair.phones[phone], (uint8_t *)records[phone], lengths[phone], &lengths[phone]));
    }
    CHECK(lengths[0] == lengths[1] && !memcmp(records[0], records[1], lengths[0]));
    free(records[0]);
    free(records[1]);
    OK(duel_session_count_score(pair.phones[0], pair.now_us, 0, &book));
    CHECK(book.wins == 1 && book.abandoned == 0);
    EXPECT(DUEL_EMPTY, duel_session_count_score(pair.phones[0], pair.now_us, 0, &book));
    CHECK(pair.events[DUEL_EVENT_PHASE] >= 6 && pair.events[DUEL_EVENT_END] >= 2);
    printf("by sound: %u ticks in %u ms\n", (unsigned)pair.status[0].tick, (unsigned)(pair.now_us / MS));
    close_pair(&pair);
}

/* Resignation, pause, rematch, leaving: over a relay. */
static void over_a_relay(void)
{
    struct pair pair;
    SIZED(duel_practice_config, relay);
    duel_score_book book;
    uint8_t pull = 1;
    size_t saved;
    duel_order order;
    int phone, waited = 0, at;

    memset(&pair, 0, sizeof pair);
    memset(&book, 0, sizeof book);
    for (phone = 0; phone < 2; phone++) {
        relay.role = phone;
        relay.seed = 9;
        OK(duel_relay_new(&relay, NULL, 0, &pair.links[phone]));
    }
    pair.relay = 1;
    open_sessions(&pair);
    until(&pair, DUEL_PHASE_PLAYING, 60);
    OK(duel_session_save(pair.phones[0], NULL, 0, &saved));
    CHECK(saved == 12);
    EXPECT(DUEL_BAD_ARGUMENT, duel_session_order(pair.phones[0], pair.now_us, &pull, 0, 0));
    EXPECT(DUEL_BAD_ARGUMENT, duel_session_order(pair.phones[0], pair.now_us, &pull, 84, 0));

    OK(duel_session_set_paused(pair.phones[1], pair.now_us, 1));
    for (at = 0; at < 200; at++) {
        frame(&pair);
        waited |= pair.status[0].overlay == DUEL_OVERLAY_PEER_PAUSED && pair.status[0].waiting == DUEL_WAIT_PAUSED;
    }
    CHECK(waited && pair.status[1].paused && pair.status[0].peer_paused);
    EXPECT(DUEL_STALLED, duel_session_run(pair.phones[0], pair.now_us, NULL));
    OK(duel_session_set_paused(pair.phones[1], pair.now_us, 0));

    for (at = 0; at < 60; at++)
        OK(duel_session_order(pair.phones[0], pair.now_us, &pull, 8, 0));
    OK(duel_session_in_flight(pair.phones[0], 59, &order));
    CHECK(order.side == DUEL_SIDE_BLUE && order.bit_count == 8 && order.bits[0] == pull);
    EXPECT(DUEL_EMPTY, duel_session_in_flight(pair.phones[0], 60, &order));
    OK(duel_session_order(pair.phones[0], pair.now_us, &pull, 8, 1));
    OK(duel_session_resign(pair.phones[0], pair.now_us));
    settle(&pair);
    EXPECT(DUEL_EMPTY, duel_session_in_flight(pair.phones[0], 0, &order));
    for (phone = 0; phone < 2; phone++)
        CHECK(pair.status[phone].resigned && pair.status[phone].winner == DUEL_SIDE_RED);
    EXPECT(DUEL_EMPTY, duel_session_count_score(pair.phones[0], pair.now_us, 0, &book));

    for (phone = 0; phone < 2; phone++)
        OK(duel_session_reset(pair.phones[phone], pair.now_us, 50u + (uint64_t)phone));
    frame(&pair);
    CHECK(pair.status[0].phase == DUEL_PHASE_LOBBY && !pair.status[0].rematch_over);
    until(&pair, DUEL_PHASE_PLAYING, 60);
    CHECK(pair.status[0].local_side == DUEL_SIDE_RED && pair.status[1].local_side == DUEL_SIDE_BLUE);
    OK(duel_session_leave(pair.phones[0], pair.now_us, 0));
    for (at = 0; at < 150; at++)
        frame(&pair);
    CHECK(pair.status[0].closable && pair.status[0].end == DUEL_END_LEFT);
    CHECK(pair.status[1].end == DUEL_END_PEER_LEFT && pair.status[1].score == DUEL_SCORE_ABANDONED);
    close_pair(&pair);
}

/* A peer that hosts too, a retry, and a peer that never comes. */
static void alone(void)
{
    struct pair pair;
    SIZED(duel_practice_config, air);
    int at;
    memset(&pair, 0, sizeof pair);
    OK(duel_air_new(&air, NULL, 0, &pair.links[0], &pair.links[1]));
    open_sessions(&pair);
    for (at = 0; at < 500; at++) {
        pair.now_us += 20 * MS;
        OK(duel_session_pump(pair.phones[0], pair.now_us));
    }
    OK(duel_session_get_status(pair.phones[0], pair.now_us, &pair.status[0]));
    CHECK(pair.status[0].hint == DUEL_HINT_SWITCH_ROLE && pair.status[0].pairing == DUEL_PAIRING_LISTENING);
    CHECK(pair.status[0].since_heard_ms == DUEL_NONE && pair.status[0].local_side == DUEL_NONE);
    OK(duel_session_retry(pair.phones[0], pair.now_us));
    EXPECT(DUEL_NOT_NOW, duel_session_reset(pair.phones[0], pair.now_us, 1));
    EXPECT(DUEL_NOT_NOW, duel_session_pick(pair.phones[0], 1));
    close_pair(&pair);
}

static void checked_games(void)
{
    struct rope rope;
    duel_game game = game_of(&rope);
    duel_order order = {DUEL_SIDE_RED, 8, {3}};
    char why[DUEL_TEXT_BYTES];
    OK(duel_game_check(&game, &order, 1, 50, why, sizeof why));
    rope.broken = 1;
    EXPECT(DUEL_REFUSED, duel_game_check(&game, &order, 1, 51, why, sizeof why));
    CHECK(strstr(why, "another hash"));
    game.save = NULL;
    EXPECT(DUEL_UNSUPPORTED, duel_game_check(&game, &order, 1, 50, why, sizeof why));
    game.hash = NULL;
    EXPECT(DUEL_NULL, duel_game_check(&game, &order, 1, 50, why, sizeof why));
}

int main(void)
{
    checked_games();
    alone();
    over_a_relay();
    by_sound();
    return 0;
}
