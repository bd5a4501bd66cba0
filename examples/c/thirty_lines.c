/* Two phones in a simulated room; one says "hi" until the other has heard it. The header's first page shows this. */
#include <stdio.h>
#include <string.h>

// [header]
#include "duel.h"

int main(void)
{
    duel_room_config room_config = {.struct_size = sizeof room_config};
    duel_link_config config = {.struct_size = sizeof config}; // a host on the high plan, 48 kHz
    duel_link *host, *guest;
    duel_pump *host_pump, *guest_pump;
    duel_room *room;
    if (duel_room_new(&room_config, NULL, 0, &room)) return 1;
    if (duel_link_new(&config, NULL, 0, &host, &host_pump)) return 1;
    config.role = DUEL_ROLE_GUEST;
    if (duel_link_new(&config, NULL, 0, &guest, &guest_pump)) return 1;

    duel_frame hello = {.bits = "hi", .bit_count = 16};
    duel_link_send(host, &hello, 1); // repeated, once a packet, until another list replaces it

    duel_link_event event = {.struct_size = sizeof event};
    int heard = 0;
    for (uint64_t now_us = 0; !heard && now_us < 5000000; now_us += 10000) {
        duel_room_run(room, now_us, host_pump, guest_pump); // live: your audio callback calls duel_pump_process
        while (duel_link_poll(host, now_us, &event) == DUEL_OK) {}
        while (duel_link_poll(guest, now_us, &event) == DUEL_OK)
            heard |= event.kind == DUEL_LINK_PACKET && !memcmp(event.bits, "hi", 2);
    }
    printf(heard ? "heard: hi\n" : "nothing heard\n");
    duel_link_free(host), duel_link_free(guest), duel_pump_free(host_pump), duel_pump_free(guest_pump);
    return duel_room_free(room) || !heard;
}
// [/header]
