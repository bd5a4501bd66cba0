/* The lobby of the match level: games that say no build of their own find out whether they are the same, and a game without
 * openers asks for no pick. */
#include "check.h"

#define NO_BUILD 0u

/* What a studio brings, and no more. */
struct brought {
    const char *game;
    uint32_t build, openers, maps, mutators, blocked;
};

struct pair {
    duel_link *links[2];
    duel_session *phones[2];
    duel_session_status status[2];
    uint64_t now_us;
    int picking; /* whether a phone ever was to pick */
};

static void open_pair(struct pair *pair, const struct brought *host, const struct brought *guest)
{
    SIZED(duel_practice_config, air);
    int phone;
    memset(pair, 0, sizeof *pair);
    OK(duel_air_new(&air, NULL, 0, &pair->links[0], &pair->links[1]));
    for (phone = 0; phone < 2; phone++) {
        const struct brought *brought = phone ? guest : host;
        SIZED(duel_session_config, config);
        SIZED(duel_catalogue, catalogue);
        catalogue.openers = brought->openers;
        catalogue.maps = brought->maps;
        catalogue.mutators = brought->mutators;
        catalogue.blocked_by[0] = brought->blocked;
        config.role = phone;
        config.seed = 21u + (uint64_t)phone;
        config.game = brought->game;
        config.build = brought->build;
        OK(duel_session_new(&config, &catalogue, pair->links[phone], NULL, 0, &pair->phones[phone]));
        pair->status[phone].struct_size = sizeof pair->status[phone];
    }
}

static void close_pair(struct pair *pair)
{
    int phone;
    for (phone = 0; phone < 2; phone++) {
        OK(duel_session_close(pair->phones[phone]));
        OK(duel_session_free(pair->phones[phone]));
        OK(duel_link_free(pair->links[phone]));
    }
}

static void frame(struct pair *pair)
{
    int phone;
    pair->now_us += 20 * MS;
    for (phone = 0; phone < 2; phone++) {
        duel_session_status *status = &pair->status[phone];
        OK(duel_session_pump(pair->phones[phone], pair->now_us));
        OK(duel_session_get_status(pair->phones[phone], pair->now_us, status));
        if (status->pairing == DUEL_PAIRING_PICKING) {
            duel_status picked = duel_session_pick(pair->phones[phone], 1);
            CHECK(picked == DUEL_OK || picked == DUEL_REFUSED); /* once, then it is final */
            pair->picking = 1;
        }
    }
}

static int is_settled(const duel_session_status *status)
{
    return status->phase == DUEL_PHASE_READY || status->pairing == DUEL_PAIRING_OTHER_VERSION;
}

/* Runs until both phones are ready or have refused each other. */
static void meet(struct pair *pair)
{
    while (!is_settled(&pair->status[0]) || !is_settled(&pair->status[1])) {
        CHECK(pair->now_us < 60u * S);
        frame(pair);
    }
}

/* Both brought nothing that says otherwise: they pair. */
static void pairs(const struct brought *host, const struct brought *guest)
{
    struct pair pair;
    int phone;
    open_pair(&pair, host, guest);
    meet(&pair);
    for (phone = 0; phone < 2; phone++)
        CHECK(pair.status[phone].phase == DUEL_PHASE_READY && pair.status[phone].problem == DUEL_PROBLEM_NONE);
    CHECK(pair.picking == (host->openers > 0));
    close_pair(&pair);
}

/* Each sees that the peer runs something else, and never comes to a match. */
static void refuse(const struct brought *host, const struct brought *guest)
{
    struct pair pair;
    int phone;
    open_pair(&pair, host, guest);
    meet(&pair);
    for (phone = 0; phone < 2; phone++) {
        const duel_session_status *status = &pair.status[phone], *other = &pair.status[1 - phone];
        SIZED(duel_agreed, agreed);
        CHECK(status->phase == DUEL_PHASE_LOBBY && status->pairing == DUEL_PAIRING_OTHER_VERSION);
        CHECK(status->builds[0] && status->builds[0] == other->builds[1] && status->builds[0] != status->builds[1]);
        EXPECT(DUEL_NOT_NOW, duel_session_agreed(pair.phones[phone], &agreed));
    }
    CHECK(!pair.picking);
    close_pair(&pair);
}

static void games_without_a_build(void)
{
    const struct brought rope = {"rope", NO_BUILD, 2, 2, 3, 1}, chess = {"chess", NO_BUILD, 2, 2, 3, 1};
    const struct brought unnamed = {NULL, NO_BUILD, 2, 2, 3, 1};
    struct brought other = rope;
    pairs(&rope, &rope);
    pairs(&unnamed, &unnamed);
    refuse(&rope, &chess);
    refuse(&rope, &unnamed);
    /* One name, and another catalogue: in each of its numbers. */
    other.openers = 3;
    refuse(&rope, &other);
    other = rope;
    other.maps = 3;
    refuse(&other, &rope);
    other = rope;
    other.mutators = 4;
    refuse(&rope, &other);
    other = rope;
    other.blocked = 2;
    refuse(&rope, &other);
    /* A build that is said stands for itself: whoever says it vouches for the rest. */
    other = rope;
    other.build = 7;
    refuse(&rope, &other);
    pairs(&other, &other);
}

static void count_tick(void *userdata, const duel_order *orders, size_t count)
{
    uint32_t *ticks = userdata;
    (void)orders;
    (void)count;
    ++*ticks;
}
static uint64_t count_hash(void *userdata) { return *(const uint32_t *)userdata; }
static int32_t count_outcome(void *userdata, int32_t *winner)
{
    *winner = DUEL_SIDE_RED;
    return *(const uint32_t *)userdata >= 50;
}

static void without_openers_there_is_no_pick(void)
{
    const struct brought plain = {"plain", NO_BUILD, 0, 1, 0, 0};
    struct pair pair;
    uint32_t counts[2] = {0, 0}, mask = 9;
    int phone;
    open_pair(&pair, &plain, &plain);
    meet(&pair);
    for (phone = 0; phone < 2; phone++) {
        SIZED(duel_agreed, agreed);
        SIZED(duel_game, game);
        CHECK(pair.status[phone].pick_left_ms == DUEL_NONE);
        OK(duel_session_openers(pair.phones[phone], &mask));
        CHECK(mask == 0);
        EXPECT(DUEL_REFUSED, duel_session_pick(pair.phones[phone], 0));
        OK(duel_session_agreed(pair.phones[phone], &agreed));
        CHECK(agreed.openers[0] == DUEL_NONE && agreed.openers[1] == DUEL_NONE);
        game.userdata = &counts[phone];
        game.step = count_tick;
        game.hash = count_hash;
        game.outcome = count_outcome;
        OK(duel_session_begin(pair.phones[phone], pair.now_us, &game));
    }
    while (!pair.status[0].settled || !pair.status[1].settled) {
        CHECK(pair.now_us < 120u * S);
        frame(&pair);
        for (phone = 0; phone < 2; phone++)
            CHECK(duel_session_run(pair.phones[phone], pair.now_us, NULL) >= 0);
    }
    CHECK(!pair.picking);
    for (phone = 0; phone < 2; phone++) {
        CHECK(counts[phone] == 50 && pair.status[phone].end == DUEL_END_DECIDED);
        CHECK(pair.status[phone].winner == DUEL_SIDE_RED && pair.status[phone].sync == DUEL_SYNC_IN_SYNC);
    }
    close_pair(&pair);
}

int main(void)
{
    games_without_a_build();
    without_openers_there_is_no_pick();
    puts("lobby: same games pair, others refuse");
    return 0;
}
