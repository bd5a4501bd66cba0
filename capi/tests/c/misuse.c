/* What structures, numbers and texts may and may not be: too small, too new, out of range, too long. What every function
 * does with wrong pointers is tested by a program that is generated from the header. */
#include "check.h"

/* A structure of a later header: the same, and a field that this library does not know. */
struct later_config {
    duel_link_config config;
    uint32_t new_field;
};
struct later_status {
    duel_link_status status;
    uint64_t new_field;
};

static void sizes(void)
{
    struct later_config later;
    struct later_status status;
    duel_link *link = NULL;
    char why[DUEL_TEXT_BYTES];

    memset(&later, 0, sizeof later);
    EXPECT(DUEL_BAD_SIZE, duel_link_new(&later.config, why, sizeof why, &link, NULL));
    CHECK(strstr(why, "sizeof(duel_link_config)") && link == NULL);
    later.config.struct_size = sizeof later;
    later.new_field = 1;
    EXPECT(DUEL_TOO_NEW, duel_link_new(&later.config, why, sizeof why, &link, NULL));
    CHECK(link == NULL);
    later.new_field = 0;
    OK(duel_link_new(&later.config, NULL, 0, &link, NULL));

    memset(&status, 0xAA, sizeof status);
    status.status.struct_size = sizeof status;
    OK(duel_link_get_status(link, &status.status));
    CHECK(status.new_field == 0 && status.status.struct_size == sizeof status && status.status.gain == 1);
    memset(&status, 0xAA, sizeof status);
    status.status.struct_size = sizeof status.status - 1;
    EXPECT(DUEL_BAD_SIZE, duel_link_get_status(link, &status.status));
    CHECK(status.new_field == 0xAAAAAAAAAAAAAAAAu);
    OK(duel_link_free(link));
}

/* Every configuration, with one thing wrong: refused with a sentence that names it, and nothing made. */
static void refused_link(void (*spoil)(duel_link_config *), duel_status status, const char *names)
{
    SIZED(duel_link_config, config);
    char why[DUEL_TEXT_BYTES];
    duel_link *link = NULL;
    spoil(&config);
    EXPECT(status, duel_link_new(&config, why, sizeof why, &link, NULL));
    if (!strstr(why, names))
        fprintf(stderr, "\"%s\" does not name %s\n", why, names);
    CHECK(strstr(why, names) && link == NULL);
}

static void odd_rate(duel_link_config *config) { config->sample_rate_hz = 44150; }
static void slow(duel_link_config *config) { config->sample_rate_hz = 32000; }
static void plan(duel_link_config *config) { config->plan = 2; }
static void role(duel_link_config *config) { config->role = -1; }
static void listen_to(duel_link_config *config) { config->listen = 3; }
static void loud(duel_link_config *config) { config->gain = 1.6f; }
static void no_number(duel_link_config *config) { config->gain = (float)NAN; }
static void flag(duel_link_config *config) { config->receive_only = 2; }

static void refused_room(size_t at, double value)
{
    SIZED(duel_room_config, config);
    char why[DUEL_TEXT_BYTES];
    duel_room *room = NULL;
    memcpy((char *)&config + at, &value, sizeof value);
    EXPECT(DUEL_BAD_ARGUMENT, duel_room_new(&config, why, sizeof why, &room));
    CHECK(strlen(why) > 5 && room == NULL);
}

static void refused_session(void (*spoil)(duel_session_config *, duel_catalogue *), duel_status status)
{
    SIZED(duel_session_config, config);
    SIZED(duel_catalogue, catalogue);
    SIZED(duel_practice_config, air);
    duel_link *links[2];
    duel_session *session = NULL;
    char why[DUEL_TEXT_BYTES];
    OK(duel_air_new(&air, NULL, 0, &links[0], &links[1]));
    spoil(&config, &catalogue);
    EXPECT(status, duel_session_new(&config, &catalogue, links[0], why, sizeof why, &session));
    CHECK(strlen(why) > 5 && session == NULL);
    /* The link is free again. */
    OK(duel_link_send(links[0], NULL, 0));
    OK(duel_link_free(links[0]));
    OK(duel_link_free(links[1]));
}

static void no_map(duel_session_config *config, duel_catalogue *catalogue)
{
    config->map.index = 1;
    catalogue->maps = 1;
}
static void no_biome(duel_session_config *config, duel_catalogue *catalogue)
{
    (void)catalogue;
    config->map.random = 1;
}
static void far_map(duel_session_config *config, duel_catalogue *catalogue)
{
    (void)catalogue;
    config->map.index = 256;
}
static void no_mutator(duel_session_config *config, duel_catalogue *catalogue)
{
    config->mutators = 4;
    catalogue->mutators = 2;
}
static void many_mutators(duel_session_config *config, duel_catalogue *catalogue)
{
    (void)config;
    catalogue->mutators = 13;
}
static void many_openers(duel_session_config *config, duel_catalogue *catalogue)
{
    (void)config;
    catalogue->openers = 4;
}
static void build(duel_session_config *config, duel_catalogue *catalogue)
{
    (void)catalogue;
    config->build = 65536;
}
static void long_name(duel_session_config *config, duel_catalogue *catalogue)
{
    (void)catalogue;
    config->game = "a name of far too many letters, of which a record would have to carry every single one";
}
static void start(duel_session_config *config, duel_catalogue *catalogue)
{
    (void)catalogue;
    config->start = 3;
}
static void side(duel_session_config *config, duel_catalogue *catalogue)
{
    (void)catalogue;
    config->host_side = 2;
}

static void short_delay(duel_session_config *config, duel_catalogue *catalogue)
{
    (void)catalogue;
    config->delay_ticks = 2;
}
static void long_delay(duel_session_config *config, duel_catalogue *catalogue)
{
    (void)catalogue;
    config->delay_ticks = 9;
}
static void byte_delay(duel_session_config *config, duel_catalogue *catalogue)
{
    (void)catalogue;
    config->delay_ticks = 256 + 4;
}
static void reserved(duel_session_config *config, duel_catalogue *catalogue)
{
    (void)catalogue;
    config->reserved = 1;
}
/* What lies behind an older host's structure is not read: here no map is there, and nothing else is wrong. */
static void older(duel_session_config *config, duel_catalogue *catalogue)
{
    no_map(config, catalogue);
    config->delay_ticks = 99;
    config->struct_size = offsetof(duel_session_config, delay_ticks);
}

static void frames(void)
{
    SIZED(duel_link_config, config);
    duel_link *link;
    duel_frame frames[9];
    int at;
    OK(duel_link_new(&config, NULL, 0, &link, NULL));
    memset(frames, 0, sizeof frames);
    for (at = 0; at < 9; at++)
        frames[at].key = (uint32_t)at;
    OK(duel_link_send(link, frames, 8));
    EXPECT(DUEL_BAD_ARGUMENT, duel_link_send(link, frames, 9));
    frames[0].bit_count = 189;
    EXPECT(DUEL_BAD_ARGUMENT, duel_link_send(link, frames, 1));
    CHECK(strstr(duel_link_detail(link), "189"));
    frames[0].bit_count = 188;
    frames[0].keyed = 2;
    EXPECT(DUEL_BAD_ARGUMENT, duel_link_send(link, frames, 1));
    frames[0].keyed = 1;
    frames[0].key = 1;
    EXPECT(DUEL_BAD_ARGUMENT, duel_link_send(link, frames, 2));
    EXPECT(DUEL_NULL, duel_link_send(link, NULL, 1));
    EXPECT(DUEL_BAD_ARGUMENT, duel_link_set_mode(link, 2));
    EXPECT(DUEL_BAD_ARGUMENT, duel_link_set_session_key(link, 0, 1));
    EXPECT(DUEL_BAD_ARGUMENT, duel_link_set_session_key(link, 1, 65536));
    EXPECT(DUEL_BAD_ARGUMENT, duel_link_set_gain(link, -0.1f));
    EXPECT(DUEL_BAD_ARGUMENT, duel_link_set_bands(link, 0, 0, 3));
    OK(duel_link_free(link));
}

static void the_library(void)
{
    unsigned char *memory = duel_alloc(100);
    int at;
    CHECK(duel_abi() == DUEL_ABI);
    CHECK(duel_features() == (DUEL_FEATURE_ROOM | DUEL_FEATURE_SKIRMISH));
    CHECK(strlen(duel_version()) >= 5);
    CHECK(strcmp(duel_status_name(DUEL_EMPTY), "DUEL_EMPTY") == 0);
    CHECK(strcmp(duel_status_name(-9999), "DUEL_UNKNOWN") == 0);
    CHECK(memory && (size_t)memory % 16 == 0);
    for (at = 0; at < 100; at++)
        CHECK(memory[at] == 0);
    OK(duel_dealloc(memory, 100));
    OK(duel_dealloc(NULL, 5));
    CHECK(duel_alloc((size_t)-1) == NULL);
}

static void practice(void)
{
    SIZED(duel_practice_config, config);
    duel_link *link = NULL;
    duel_gap gap;
    config.latency_ms = 2001;
    EXPECT(DUEL_BAD_ARGUMENT, duel_relay_new(&config, NULL, 0, &link));
    config.latency_ms = 0;
    config.loss_permille = 1001;
    EXPECT(DUEL_BAD_ARGUMENT, duel_relay_new(&config, NULL, 0, &link));
    config.loss_permille = 0;
    OK(duel_relay_new(&config, NULL, 0, &link));
    EXPECT(DUEL_UNSUPPORTED, duel_link_poll_gap(link, &gap));
    EXPECT(DUEL_UNSUPPORTED, duel_link_set_gain(link, 1));
    EXPECT(DUEL_UNSUPPORTED, duel_link_reset(link, 48000, NULL));
    EXPECT(DUEL_BAD_DATA, duel_link_push_message(link, (const uint8_t *)"\xff\xff", 2));
    CHECK(strstr(duel_link_detail(link), "not a relay's message"));
    OK(duel_link_free(link));
}

static void rates(void)
{
    duel_guard *guard = NULL;
    uint64_t bytes = 7;
    EXPECT(DUEL_BAD_ARGUMENT, duel_guard_new(0, 48000, 9, NULL, 0, &guard));
    EXPECT(DUEL_BAD_ARGUMENT, duel_guard_new(0, 48000, 0, NULL, 0, &guard));
    EXPECT(DUEL_BAD_RATE, duel_guard_new(0, 7999, 1, NULL, 0, &guard));
    EXPECT(DUEL_BAD_ARGUMENT, duel_guard_new(2, 48000, 1, NULL, 0, &guard));
    EXPECT(DUEL_BAD_RATE, duel_guard_memory_bytes(0, 1, &bytes));
    CHECK(guard == NULL && bytes == 7);
}

static void on_panic(void *userdata, const char *text)
{
    fprintf(stderr, "%s\n", text);
    ++*(long *)userdata;
}

int main(void)
{
    long panics = 0;
    OK(duel_set_panic_hook(on_panic, &panics));
    sizes();
    refused_link(odd_rate, DUEL_BAD_RATE, "44150");
    refused_link(slow, DUEL_BAD_RATE, "32000");
    refused_link(plan, DUEL_BAD_ARGUMENT, "plan 2");
    refused_link(role, DUEL_BAD_ARGUMENT, "role -1");
    refused_link(listen_to, DUEL_BAD_ARGUMENT, "listen 3");
    refused_link(loud, DUEL_BAD_ARGUMENT, "gain 1.6");
    refused_link(no_number, DUEL_BAD_ARGUMENT, "gain");
    refused_link(flag, DUEL_BAD_ARGUMENT, "receive_only 2");
    refused_room(offsetof(duel_room_config, distance_cm), -1);
    refused_room(offsetof(duel_room_config, distance_cm), NAN);
    refused_room(offsetof(duel_room_config, skew_ppm), 1e9);
    refused_room(offsetof(duel_room_config, output_latency_ms), 1000);
    refused_room(offsetof(duel_room_config, taps_per_second), 1e6);
    refused_room(offsetof(duel_room_config, motion_speed_m_s), -1);
    refused_room(offsetof(duel_room_config, dropouts_per_second), INFINITY);
    refused_session(no_map, DUEL_REFUSED);
    refused_session(no_biome, DUEL_REFUSED);
    refused_session(far_map, DUEL_BAD_ARGUMENT);
    refused_session(no_mutator, DUEL_REFUSED);
    refused_session(many_mutators, DUEL_BAD_ARGUMENT);
    refused_session(many_openers, DUEL_BAD_ARGUMENT);
    refused_session(build, DUEL_BAD_ARGUMENT);
    refused_session(long_name, DUEL_BAD_ARGUMENT);
    refused_session(start, DUEL_BAD_ARGUMENT);
    refused_session(side, DUEL_BAD_ARGUMENT);
    refused_session(short_delay, DUEL_BAD_ARGUMENT);
    refused_session(long_delay, DUEL_BAD_ARGUMENT);
    refused_session(byte_delay, DUEL_BAD_ARGUMENT);
    refused_session(reserved, DUEL_BAD_ARGUMENT);
    refused_session(older, DUEL_REFUSED);
    frames();
    the_library();
    practice();
    rates();
    OK(duel_set_panic_hook(NULL, NULL));
    CHECK(panics == 0);
    printf("misuse: all told\n");
    return 0;
}
