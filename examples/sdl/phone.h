/* phone.h: one phone of a duel, from the menu to the report: its rig, its link, its session, as a state machine. Time,
 * device events and what the player wants go in; what to show comes out. Draws nothing, opens no device, reads no clock.
 */
#ifndef PHONE_H
#define PHONE_H

#include "sound.h"
#include "store.h"

/* What a player wants to play, and how. */
struct want {
    int32_t role;      /* DUEL_ROLE_... */
    int32_t plan;      /* DUEL_PLAN_..., or PLAN_AUTO */
    duel_map map;      /* the host's choice, as are the next two */
    uint32_t mutators;
    int32_t host_side;
    int32_t opener;    /* settled beforehand, or DUEL_NONE: the player is asked */
    int32_t ai;        /* DUEL_AI_...: plays for the player */
    float gain;        /* the loudest it may play */
};

/* High, and low is offered where high does not work. */
enum { PLAN_AUTO = 2 };

enum stage {
    STAGE_MENU,
    STAGE_OPENING,   /* sound is being opened */
    STAGE_FAILED,    /* it could not be: `failed_why`, `failed_advice` */
    STAGE_SELF_TEST, /* the phone listens to itself */
    STAGE_DUEL,      /* from the lobby to the report: `status.phase` */
    STAGE_CLOSED,    /* the player has had enough */
};

/* Where a player goes from a duel, once everything is said. */
enum going { GOING_NOWHERE, GOING_MENU, GOING_QUIT, GOING_REMATCH, GOING_SWITCH_ROLE, GOING_OTHER_PLAN };

/* What a lobby offers because of what it measured. */
struct offer {
    const char *reason; /* NULL: nothing */
    int32_t plan;       /* this plan instead, the host's to choose; or DUEL_NONE */
    bool role;          /* the other role instead */
};

/* The ways out of a match. */
struct ways {
    bool resign_and_leave; /* packets arrive, so the peer will learn of it */
    bool leave;            /* without a result */
};

struct phone {
    struct want want;
    struct sound sound;
    struct store store;
    enum stage stage;
    uint64_t now_us;

    duel_rig *rig;
    duel_rig_status rig_status;
    uint32_t rate_hz;

    duel_link *link;
    duel_link_config modem; /* as the link was set up */
    duel_link_status link_status;
    duel_advice *advice;
    duel_advice_status advice_status;
    double snr_sum_db; /* over all looks at a link that was locked */
    uint32_t snr_count;

    duel_session *session;
    duel_session_status status;
    duel_agreed agreed; /* from DUEL_PHASE_READY on */
    bool rematch;
    bool self_test_next;
    enum going going;
    uint64_t test_since_us;    /* self-test: since when */
    uint64_t unlocked_since_us; /* a guest's host has gone silent, perhaps to the other plan; 0: no */
    uint64_t deaf_since_us;     /* a peer that is heard has not heard this phone; 0: no */

    bool menu_up;      /* the pause menu, and with it the pause */
    bool menu_sure;    /* asked whether the player is sure to resign */
    bool menu_leave;   /* the match had waited long enough to be left when the menu came up */
    bool hidden;       /* the window cannot be seen: paused as well */
    bool resigning;    /* the order has not landed yet */
    bool lost;         /* left because nothing came through */
    bool fallen[2];    /* whose command centre fell, once the match is over */
    struct kept kept;  /* what was saved of the match; `kept.done` once it was */

    char failed_why[DUEL_TEXT_BYTES];
    char failed_advice[DUEL_TEXT_BYTES];
    char notice[DUEL_TEXT_BYTES]; /* worth a line for a while; empty: nothing */
    uint64_t notice_at_us;
    uint64_t seed; /* drawn from for every session, each time another */
};

/* A phone with its sound off, at the menu. Nonces are drawn from `seed`: never use one twice with live sound. */
void phone_init(struct phone *phone, struct sound sound, struct want want, struct store store, uint64_t seed);
/* Lets go of everything. */
void phone_free(struct phone *phone);
/* Lets time come: devices, the link, the lobby, ticks. Call it every frame. */
void phone_tick(struct phone *phone, uint64_t now_us);

/* What a player can do. What makes no sense where the phone is changes nothing. */
void phone_start(struct phone *phone);     /* menu: opens the sound, then the lobby */
void phone_self_test(struct phone *phone); /* menu */
void phone_back(struct phone *phone);      /* opening, failed, self-test: to the menu */
void phone_tap(struct phone *phone);       /* answers the cover: start sound, or reconnect */
void phone_pick(struct phone *phone, int32_t opener);
void phone_retry(struct phone *phone);
void phone_pause(struct phone *phone, bool paused); /* the pause menu */
void phone_hide(struct phone *phone, bool hidden);  /* the window is out of sight: pauses by itself */
void phone_resign(struct phone *phone);
void phone_leave(struct phone *phone);                    /* ends the match without a result */
void phone_leave_for(struct phone *phone, enum going to); /* says goodbye for as long as it takes, then goes there */
void phone_note(struct phone *phone, const char *format, ...);

/* What to offer. */
bool phone_is_live(const struct phone *phone);    /* sound runs */
bool phone_may_change(const struct phone *phone); /* the lobby may still be left for another role or plan */
bool phone_is_over(const struct phone *phone);    /* the report is up */
struct offer phone_offer(const struct phone *phone);
struct ways phone_ways(const struct phone *phone);

#endif
