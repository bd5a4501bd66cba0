/* The link level: two phones in one room exchange messages; halves that share no memory; a device that is lost and opened
 * anew; guard, rig and advice. */
#include "check.h"

static duel_frame frame_of(const char *text, uint32_t key)
{
    duel_frame frame;
    memset(&frame, 0, sizeof frame);
    memcpy(frame.bits, text, strlen(text));
    frame.bit_count = (uint32_t)strlen(text) * 8;
    frame.key = key;
    return frame;
}

/* Polls everything there is; counts packets that begin with the text. */
static int heard(duel_link *link, uint64_t now_us, const char *text, int *session, int *slots)
{
    SIZED(duel_link_event, event);
    int count = 0;
    uint64_t last_us = 0;
    while (duel_link_poll(link, now_us, &event) == DUEL_OK) {
        CHECK(event.at_us >= last_us && event.at_us <= now_us);
        last_us = event.at_us;
        if (event.kind == DUEL_LINK_SLOT) {
            if (slots)
                ++*slots;
            continue;
        }
        CHECK(event.kind == DUEL_LINK_PACKET && event.bit_count == duel_link_capacity_bits(link));
        CHECK(event.snr_db > 3 && event.key == DUEL_NONE);
        if (memcmp(event.bits, text, strlen(text)) == 0)
            count++;
        if (session)
            *session |= event.session;
    }
    return count;
}

static void messages(void)
{
    SIZED(duel_room_config, room_config);
    SIZED(duel_link_config, config);
    SIZED(duel_link_status, status);
    SIZED(duel_link_config, now_config);
    duel_room *room;
    duel_link *links[2];
    duel_pump *pumps[2], *new_pump;
    duel_frame frames[2];
    duel_gap gap;
    duel_fault fault;
    uint64_t now_us, bytes;
    int phone, counts[2] = {0, 0}, keyed = 0, slots = 0, gaps = 0;

    room_config.sample_rate_hz[1] = 44100;
    room_config.skew_ppm[0] = -80;
    room_config.seed = 21;
    OK(duel_room_new(&room_config, NULL, 0, &room));
    for (phone = 0; phone < 2; phone++) {
        config.role = phone;
        config.sample_rate_hz = phone ? 44100 : 0;
        OK(duel_link_memory_bytes(&config, &bytes));
        CHECK(bytes > 100000 && bytes < 10000000);
        OK(duel_link_new(&config, NULL, 0, &links[phone], &pumps[phone]));
        CHECK(duel_link_capacity_bits(links[phone]) == 188);
    }
    frames[0] = frame_of("left", 1);
    frames[1] = frame_of("right", 2);
    OK(duel_link_send(links[0], frames, 1));
    OK(duel_link_send(links[1], frames + 1, 1));
    for (now_us = 0; now_us < 3 * S; now_us += 10 * MS) {
        OK(duel_room_run(room, now_us, pumps[0], pumps[1]));
        counts[1] += heard(links[1], now_us, "left", NULL, &slots);
        counts[0] += heard(links[0], now_us, "right", NULL, &slots);
    }
    CHECK(counts[0] >= 5 && counts[1] >= 5 && slots > 15);
    OK(duel_link_get_status(links[0], &status));
    CHECK(status.locked && status.rx_good >= 5 && status.plan == DUEL_PLAN_HIGH && status.fault == 0);
    CHECK(status.own_snr_db > 10 && status.loopback_ms > 50 && fabs(status.clock_ppm + 80) < 60);
    CHECK(status.detected_plan == DUEL_PLAN_HIGH && !status.taken && status.sample_rate_hz == 48000);

    /* Fast, and under a session key. */
    frames[0].keyed = 1;
    for (phone = 0; phone < 2; phone++) {
        OK(duel_link_set_session_key(links[phone], 17, 1234));
        OK(duel_link_set_mode(links[phone], DUEL_MODE_FAST));
    }
    OK(duel_link_send(links[0], frames, 2));
    OK(duel_room_trouble(room, DUEL_TROUBLE_CAPTURE_GAP, DUEL_PHONE_A, now_us + 4 * S, 300 * MS));
    for (counts[1] = 0; now_us < 10 * S; now_us += 10 * MS) {
        OK(duel_room_run(room, now_us, pumps[0], pumps[1]));
        counts[1] += heard(links[1], now_us, "left", &keyed, NULL);
        heard(links[0], now_us, "right", NULL, NULL);
    }
    CHECK(keyed && counts[1] > 10);
    OK(duel_link_get_status(links[1], &status));
    CHECK(status.rx_mode == DUEL_MODE_FAST && status.tx_mode == DUEL_MODE_FAST);
    while (duel_link_poll_gap(links[0], &gap) == DUEL_OK) {
        CHECK(gap.at_us > 6 * S && (gap.lasted_us == DUEL_NONE || gap.lasted_us > 200000));
        gaps++;
    }
    CHECK(gaps == 2);
    EXPECT(DUEL_EMPTY, duel_link_poll_refusal(links[0], &fault));

    /* The host's device is opened anew; setup and frames go on. */
    OK(duel_link_set_gain(links[0], 0.8f));
    EXPECT(DUEL_BAD_RATE, duel_link_reset(links[0], 44101, &new_pump));
    CHECK(strstr(duel_link_detail(links[0]), "44101"));
    OK(duel_link_reset(links[0], 48000, &new_pump));
    OK(duel_pump_free(pumps[0]));
    pumps[0] = new_pump;
    for (counts[1] = 0; now_us < 14 * S; now_us += 10 * MS) {
        OK(duel_room_run(room, now_us, pumps[0], pumps[1]));
        counts[1] += heard(links[1], now_us, "left", NULL, NULL);
        heard(links[0], now_us, "right", NULL, NULL);
    }
    CHECK(counts[1] > 5);
    OK(duel_link_get_config(links[0], &now_config));
    CHECK(now_config.role == DUEL_ROLE_HOST && fabs(now_config.gain - 0.8f) < 1e-6 && !now_config.receive_only);

    /* The pump dies; then the link closes. */
    OK(duel_link_pump_failed(links[0]));
    OK(duel_link_get_status(links[0], &status));
    CHECK(status.fault == DUEL_FAULT_FAILED && !status.locked);
    OK(duel_link_close(links[1]));
    {
        float out[64];
        EXPECT(DUEL_CLOSED, duel_pump_process(pumps[1], NULL, 0, out, 64, now_us));
    }
    CHECK(duel_pump_dropped(pumps[1]) == 0);
    for (phone = 0; phone < 2; phone++) {
        OK(duel_link_free(links[phone]));
        OK(duel_pump_free(pumps[phone]));
    }
    OK(duel_room_free(room));
}

/* What a page does around two wasm instances: bytes from one half to the other, every block. */
static void carry(duel_link *link, duel_pump *pump)
{
    uint8_t bytes[DUEL_MESSAGE_BYTES];
    size_t length;
    while (duel_pump_poll_message(pump, bytes, sizeof bytes, &length) == DUEL_OK)
        OK(duel_link_push_message(link, bytes, length));
    while (duel_link_poll_message(link, bytes, sizeof bytes, &length) == DUEL_OK)
        OK(duel_pump_push_message(pump, bytes, length));
}

static void halves_apart(void)
{
    SIZED(duel_room_config, room_config);
    SIZED(duel_link_config, config);
    SIZED(duel_link_status, status);
    duel_room *room;
    duel_link *links[2];
    duel_pump *pumps[2];
    duel_frame hello = frame_of("carried", 1);
    float in[256], out[256], silence[256];
    uint64_t frame, now_us = 0;
    uint8_t bytes[DUEL_MESSAGE_BYTES];
    size_t length;
    int phone, count = 0;

    room_config.seed = 4;
    memset(silence, 0, sizeof silence);
    OK(duel_room_new(&room_config, NULL, 0, &room));
    config.plan = DUEL_PLAN_LOW;
    for (phone = 0; phone < 2; phone++) {
        config.role = phone;
        config.listen = phone ? DUEL_LISTEN_DETECT : DUEL_LISTEN_PEER;
        OK(duel_link_new(&config, NULL, 0, &links[phone], NULL));
        OK(duel_pump_new(&config, NULL, 0, &pumps[phone]));
    }
    OK(duel_link_get_status(links[1], &status));
    CHECK(status.detected_plan == DUEL_NONE);
    OK(duel_link_send(links[0], &hello, 1));
    while (now_us < 6 * S && count < 3) {
        int32_t turn;
        OK(duel_room_next(room, &turn, &frame));
        OK(duel_room_capture(room, turn, in, 128));
        if (turn == DUEL_PHONE_A) {
            const float *channels[2];
            channels[0] = in;
            channels[1] = silence;
            OK(duel_pump_process(pumps[0], channels, 2, out, 128, frame));
            now_us = (frame + 128) * 1000 / 48 + 20 * MS;
        } else {
            float both[256];
            int at;
            for (at = 0; at < 128; at++) {
                both[2 * at] = 0;
                both[2 * at + 1] = in[at];
            }
            OK(duel_pump_process_interleaved(pumps[1], both, 2, out, 128, frame));
        }
        OK(duel_room_play(room, turn, out, 128));
        carry(links[turn], pumps[turn]);
        heard(links[0], now_us, "", NULL, NULL);
        count += heard(links[1], now_us, "carried", NULL, NULL);
    }
    CHECK(count >= 3);
    OK(duel_link_get_status(links[1], &status));
    CHECK(status.detected_plan == DUEL_PLAN_LOW && duel_link_capacity_bits(links[1]) == 186);
    EXPECT(DUEL_BAD_DATA, duel_link_push_message(links[0], (const uint8_t *)"xx", 2));
    EXPECT(DUEL_BAD_DATA, duel_pump_push_message(pumps[0], (const uint8_t *)"xx", 2));
    CHECK(strlen(duel_pump_detail(pumps[0])) > 0);
    EXPECT(DUEL_TOO_SMALL, duel_link_poll_message(links[0], bytes, 10, &length));
    OK(duel_link_reset(links[0], 44100, NULL));
    for (phone = 0; phone < 2; phone++) {
        OK(duel_link_free(links[phone]));
        OK(duel_pump_free(pumps[phone]));
    }
    OK(duel_room_free(room));
}

/* A phone listens to itself; then another plan. */
static void self_test(void)
{
    SIZED(duel_room_config, room_config);
    SIZED(duel_link_config, config);
    duel_room *room;
    duel_link *link;
    duel_pump *pump;
    duel_frame hello = frame_of("me", 1);
    uint64_t now_us;
    int count = 0;

    OK(duel_room_new(&room_config, NULL, 0, &room));
    config.listen = DUEL_LISTEN_SELF;
    OK(duel_link_new(&config, NULL, 0, &link, &pump));
    OK(duel_link_send(link, &hello, 1));
    for (now_us = 0; now_us < 2 * S; now_us += 10 * MS) {
        OK(duel_room_run(room, now_us, pump, NULL));
        count += heard(link, now_us, "me", NULL, NULL);
    }
    CHECK(count > 3);
    OK(duel_link_set_bands(link, DUEL_PLAN_LOW, DUEL_ROLE_GUEST, DUEL_LISTEN_SELF));
    for (count = 0; now_us < 6 * S; now_us += 10 * MS) {
        OK(duel_room_run(room, now_us, pump, NULL));
        count += heard(link, now_us, "me", NULL, NULL);
    }
    CHECK(count > 2 && duel_link_capacity_bits(link) == 186);
    EXPECT(DUEL_BAD_ARGUMENT, duel_room_run(room, now_us + (uint64_t)7200 * S, NULL, NULL));
    EXPECT(DUEL_BAD_ARGUMENT, duel_room_run(room, now_us, pump, pump));
    CHECK(strlen(duel_room_detail(room)) > 0);
    OK(duel_link_free(link));
    OK(duel_pump_free(pump));
    OK(duel_room_free(room));
}

static double energy(const float *samples, int count)
{
    double sum = 0;
    int at;
    for (at = 0; at < count; at++)
        sum += (double)samples[at] * samples[at];
    return sum;
}

static void guard(void)
{
    duel_guard *guard;
    static float mix[48000];
    uint64_t bytes;
    int at, pass;
    double in = 0, out[2];
    OK(duel_guard_memory_bytes(48000, 1, &bytes));
    CHECK(bytes > 1000 && bytes < 100000);
    OK(duel_guard_new(DUEL_PLAN_HIGH, 48000, 1, NULL, 0, &guard));
    CHECK(duel_guard_latency_frames(guard) > 10 && duel_guard_latency_frames(guard) < 200);
    for (pass = 0; pass < 2; pass++) {
        OK(duel_guard_set_on(guard, pass));
        for (at = 0; at < 48000; at++) /* 11 kHz, in the host's band */
            mix[at] = 0.1f * (float)sin(2 * 3.14159265358979 * 11000.0 * at / 48000.0);
        in = energy(mix + 24000, 24000);
        OK(duel_guard_process(guard, mix, 48000));
        out[pass] = energy(mix + 24000, 24000);
    }
    CHECK(out[0] > 0.9 * in && out[1] < 1e-6 * in);
    OK(duel_guard_free(guard));
}

/* Does what a rig says, with devices that always work. */
static void obey(duel_rig *rig, uint64_t now_us, int *rebuilds)
{
    SIZED(duel_rig_action, action);
    while (duel_rig_poll_action(rig, &action) == DUEL_OK) {
        SIZED(duel_rig_event, event);
        event.id = action.id;
        event.rate_hz = 48000;
        event.flag = 1;
        switch (action.kind) {
        case DUEL_DO_OPEN_AUDIO: event.kind = DUEL_RIG_AUDIO_OPENED; break;
        case DUEL_DO_RESUME_AUDIO: event.kind = DUEL_RIG_AUDIO_RUNNING; break;
        case DUEL_DO_ASK_MICROPHONE: event.kind = DUEL_RIG_MICROPHONE_OPENED; break;
        case DUEL_DO_REQUEST_WAKE_LOCK: event.kind = DUEL_RIG_WAKE_LOCK; break;
        case DUEL_DO_REBUILD_LINK: ++*rebuilds; event.kind = DUEL_RIG_LINK_STARTED; break;
        default: continue;
        }
        OK(duel_rig_handle_event(rig, now_us, &event));
    }
}

static void rig(void)
{
    SIZED(duel_rig_status, status);
    SIZED(duel_rig_event, event);
    SIZED(duel_link_config, config);
    duel_rig *rig;
    duel_link *link;
    duel_pump *pump;
    uint64_t now_us = 1 * S;
    int rebuilds = 0;

    OK(duel_rig_new(now_us, DUEL_PLAN_HIGH, DUEL_ROLE_HOST, DUEL_LISTEN_PEER, DUEL_MIC_RAW, NULL, 0, &rig));
    OK(duel_rig_get_status(rig, now_us, &status));
    CHECK(status.state == DUEL_RIG_IS_OPENING && status.lost_text[0] == 0);
    obey(rig, now_us, &rebuilds);
    OK(duel_link_new(&config, NULL, 0, &link, &pump));
    event.kind = DUEL_RIG_LINK_STARTED;
    OK(duel_rig_handle_event(rig, now_us, &event));
    OK(duel_rig_get_status(rig, now_us + 2 * S, &status));
    CHECK(status.state == DUEL_RIG_IS_LIVE && status.capture_ok_us >= DUEL_CAPTURE_OK_US);
    CHECK(!status.warns_of_auto_lock && status.mic_mode == DUEL_MIC_RAW);
    OK(duel_rig_watch(rig, now_us, link));

    /* The device drops the pump: lost, until a tap builds it anew. */
    OK(duel_pump_free(pump));
    now_us += 1 * S;
    {
        SIZED(duel_link_event, ignored);
        EXPECT(DUEL_EMPTY, duel_link_poll(link, now_us, &ignored));
    }
    OK(duel_rig_watch(rig, now_us, link));
    OK(duel_rig_get_status(rig, now_us, &status));
    CHECK(status.state == DUEL_RIG_IS_LOST && status.lost == DUEL_LOST_MODEM && strlen(status.lost_text) > 0);
    OK(duel_rig_handle_tap(rig, now_us));
    OK(duel_link_reset(link, 48000, &pump));
    obey(rig, now_us, &rebuilds);
    CHECK(rebuilds == 1);
    OK(duel_rig_watch(rig, now_us, link));
    OK(duel_rig_get_status(rig, now_us, &status));
    CHECK(status.state == DUEL_RIG_IS_RECOVERING && status.next_wake_us > 0);
    now_us += 2 * S;
    OK(duel_rig_handle_time(rig, now_us));
    OK(duel_rig_get_status(rig, now_us, &status));
    CHECK(status.state == DUEL_RIG_IS_LIVE && status.error_text[0] == 0 && status.advice_text[0] == 0 && status.error == DUEL_RIG_ERROR_NONE && status.advice == DUEL_TRY_NOTHING);

    event.kind = DUEL_RIG_DEVICES_CHANGED;
    OK(duel_rig_handle_event(rig, now_us + 20 * S, &event));
    OK(duel_rig_get_status(rig, now_us + 20 * S, &status));
    CHECK(status.lost == DUEL_LOST_DEVICES_CHANGED && !status.offers_leave);
    event.kind = 18;
    EXPECT(DUEL_BAD_ARGUMENT, duel_rig_handle_event(rig, now_us, &event));
    CHECK(strstr(duel_rig_detail(rig), "18"));
    OK(duel_rig_set_mic_mode(rig, now_us, DUEL_MIC_ECHO_CANCELLING));
    EXPECT(DUEL_BAD_ARGUMENT, duel_rig_set_mic_mode(rig, now_us, 2));
    OK(duel_rig_close(rig, now_us));
    OK(duel_rig_get_status(rig, now_us, &status));
    CHECK(status.state == DUEL_RIG_IS_CLOSED);
    OK(duel_rig_free(rig));
    OK(duel_link_free(link));
    OK(duel_pump_free(pump));
}

/* A phone whose speaker goes elsewhere: it does not hear itself. One that hears both: the band works. */
static void advice(void)
{
    SIZED(duel_room_config, room_config);
    SIZED(duel_link_config, config);
    SIZED(duel_advice_status, status);
    duel_room *room;
    duel_link *links[2];
    duel_pump *pumps[2];
    duel_advice *advisers[2];
    uint64_t now_us, frame;
    float in[128], out[128], nothing[128];
    int phone, deaf = 0;

    memset(nothing, 0, sizeof nothing);
    OK(duel_room_new(&room_config, NULL, 0, &room));
    for (phone = 0; phone < 2; phone++) {
        config.role = phone;
        OK(duel_link_new(&config, NULL, 0, &links[phone], &pumps[phone]));
        OK(duel_advice_new(&config, NULL, 0, &advisers[phone]));
    }
    for (now_us = 0; now_us < 9 * S; now_us += 10 * MS) {
        OK(duel_room_run(room, now_us, pumps[0], pumps[1]));
        for (phone = 0; phone < 2; phone++) {
            heard(links[phone], now_us, "", NULL, NULL);
            EXPECT(DUEL_EMPTY, duel_advice_watch(advisers[phone], links[phone], NULL));
        }
    }
    OK(duel_advice_get_status(advisers[0], 0, &status));
    CHECK(status.band == DUEL_BAND_WORKS && status.route == DUEL_ROUTE_FINE && status.band_code == DUEL_BECAUSE_NONE && !status.loud && status.gain == 1);
    CHECK(status.fallback_plan == DUEL_NONE && status.band_text[0] == 0 && status.route_text[0] == 0);
    CHECK(status.other_role == DUEL_NONE);
    while (deaf < 10 * 375) {
        int32_t turn;
        OK(duel_room_next(room, &turn, &frame));
        OK(duel_room_capture(room, turn, in, 128));
        {
            const float *channel = in;
            OK(duel_pump_process(pumps[turn], &channel, 1, out, 128, frame));
        }
        OK(duel_room_play(room, turn, turn == 1 ? nothing : out, 128));
        now_us = frame * 1000 / 48;
        heard(links[turn], now_us, "", NULL, NULL);
        CHECK(duel_advice_watch(advisers[turn], links[turn], NULL) >= 0);
        deaf++;
    }
    OK(duel_advice_get_status(advisers[1], 0, &status));
    CHECK(status.route == DUEL_ROUTE_UNHEARD && strlen(status.route_text) > 20);
    CHECK(status.band == DUEL_BAND_FAILS && status.fallback_plan == DUEL_PLAN_LOW && strlen(status.band_text) > 20);
    CHECK(status.other_role == DUEL_ROLE_HOST); /* a guest's speaker that ends below 16 kHz */
    EXPECT(DUEL_BAD_ARGUMENT, duel_advice_get_status(advisers[1], 2, &status));
    CHECK(strlen(duel_advice_detail(advisers[1])) > 0);
    for (phone = 0; phone < 2; phone++) {
        OK(duel_link_free(links[phone]));
        OK(duel_pump_free(pumps[phone]));
        OK(duel_advice_free(advisers[phone]));
    }
    OK(duel_room_free(room));
}

int main(void)
{
    messages();
    halves_apart();
    self_test();
    guard();
    rig();
    advice();
    printf("link: all well\n");
    return 0;
}
