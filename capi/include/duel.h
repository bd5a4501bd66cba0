/*
 * duel.h: two machines, one match, over sound. Version: DUEL_ABI below.
 *
 * Two phones on a table play a deterministic match against each other with no network at all: each plays sound that the
 * other hears. This library is all of it but your game, your window and your audio device. Three levels, each usable alone:
 *
 *   link      messages over sound: duel_link_..., duel_pump_..., duel_guard_..., duel_rig_..., duel_advice_...
 *   match     pairing and lockstep for a game of your own: duel_session_..., duel_game
 *   skirmish  the whole reference duel: duel_skirmish_..., duel_replay_...
 *
 * and duel_room_..., a simulated room with two phones, to test an integration in before there are any.
 *
 * This header includes them all; each is a header of its own, usable alone with what it stands on:
 *
 *   duel/base.h <- duel/link.h <- duel/rig.h      the audio life of a live link
 *                              <- duel/room.h     to test an integration in
 *                              <- duel/session.h <- duel/skirmish.h
 *
 * For a library built without its feature "room" or "skirmish" define DUEL_WITHOUT_ROOM or DUEL_WITHOUT_SKIRMISH first.
 *
 * Threads. At most two touch a link, each through a handle of its own:
 *
 *   game thread                                               audio thread (or AudioWorklet)
 *   duel_session - - - duel_link == fixed queues, or messages that you carry == duel_pump - - - microphone, speaker
 *                      duel_link_poll(link, now_us, ...)                        duel_pump_process(pump, in, out, first_frame)
 *
 * Everything but duel_pump and duel_guard belongs to the game's thread. There are no locks and no hidden threads,
 * and no globals but the table of handles and duel_set_panic_hook. Links, pumps and guards take all their memory in ..._new and ..._reset; a session says
 * when it takes more. Every function's comment ends in four lines:
 *
 *   Thread    which one may call it.
 *   Realtime  yes: it neither allocates, locks nor waits, and does bounded work.
 *   Owns      whose the memory is.
 *   Since     the ABI it came with.
 *
 * Handles are numbers in a pointer's clothes: the library looks them up and never follows them. One that was freed, of another
 * kind, or none at all is DUEL_BAD_HANDLE. Two calls at once on one handle, or on a link and its session: the second is
 * DUEL_BUSY and does nothing. duel_link_get_status alone may be called from any thread at any time. docs/ABI.md has the whole.
 *
 * Statuses. Functions return duel_status: 0 is done, positive is "nothing to do", negative is an error. Out-parameters come
 * last and are written only on success. ..._detail says more about a handle's last error; ..._new, which has no handle yet,
 * takes room for a sentence (why, why_bytes; NULL and 0 if not wanted). DUEL_TEXT_BYTES holds any.
 *
 * Structures are either sized, and begin with struct_size: set it to sizeof, and every other field you do not mean to zero,
 * which is the default; or frozen, and never change. Numbers that stand for words (DUEL_PLAN_..., DUEL_SIDE_...) are int32_t.
 *
 * Time is yours: microseconds of any clock that never goes back. Text is UTF-8, in English, and ends in a zero; whatever a
 * player may read also comes as a number (and the numbers that it speaks of), for hosts that say it in another language.
 *
 * Where to go on: docs/EMBEDDING.md for engines and phones, docs/ABI.md for what may change, examples/c for whole programs.
 *
 * An example, whole: a message from one phone to the other in the simulated room.
 *
 *     #include "duel.h"
 *
 *     int main(void)
 *     {
 *         duel_room_config room_config = {.struct_size = sizeof room_config};
 *         duel_link_config config = {.struct_size = sizeof config}; // a host on the high plan, 48 kHz
 *         duel_link *host, *guest;
 *         duel_pump *host_pump, *guest_pump;
 *         duel_room *room;
 *         if (duel_room_new(&room_config, NULL, 0, &room)) return 1;
 *         if (duel_link_new(&config, NULL, 0, &host, &host_pump)) return 1;
 *         config.role = DUEL_ROLE_GUEST;
 *         if (duel_link_new(&config, NULL, 0, &guest, &guest_pump)) return 1;
 *
 *         duel_frame hello = {.bits = "hi", .bit_count = 16};
 *         duel_link_send(host, &hello, 1); // repeated, once a packet, until another list replaces it
 *
 *         duel_link_event event = {.struct_size = sizeof event};
 *         int heard = 0;
 *         for (uint64_t now_us = 0; !heard && now_us < 5000000; now_us += 10000) {
 *             duel_room_run(room, now_us, host_pump, guest_pump); // live: your audio callback calls duel_pump_process
 *             while (duel_link_poll(host, now_us, &event) == DUEL_OK) {}
 *             while (duel_link_poll(guest, now_us, &event) == DUEL_OK)
 *                 heard |= event.kind == DUEL_LINK_PACKET && !memcmp(event.bits, "hi", 2);
 *         }
 *         printf(heard ? "heard: hi\n" : "nothing heard\n");
 *         duel_link_free(host), duel_link_free(guest), duel_pump_free(host_pump), duel_pump_free(guest_pump);
 *         return duel_room_free(room) || !heard;
 *     }
 *
 * Licence: MIT or Apache-2.0, at your choice.
 */

/* Generated from capi/src by `cargo xtask header`: change it there. */

#ifndef DUEL_H
#define DUEL_H

#include "duel/base.h"
#include "duel/link.h"
#include "duel/rig.h"
#ifndef DUEL_WITHOUT_ROOM
#include "duel/room.h"
#endif
#include "duel/session.h"
#ifndef DUEL_WITHOUT_SKIRMISH
#include "duel/skirmish.h"
#endif

#endif /* DUEL_H */
