/* args.h: the command line. */
#ifndef ARGS_H
#define ARGS_H

#include "phone.h"

struct args {
    struct want want;
    bool practice, list_devices, help;
    bool go;         /* --host, --join or --practice with --ai: straight into the lobby */
    bool json, quit_at_end;
    bool alone;      /* nobody is there to click: an autopilot answers */
    const char *speaker, *microphone;
    const char *out;
    const char *screenshot, *at; /* a file, and of what */
    int32_t peer_ai;
    uint32_t speed;      /* practice: both clocks run so many times faster */
    uint32_t rematches;
    uint32_t pair_within_s, play_within_s;
    uint64_t seed;   /* 0: drawn anew */
};

/* False, and `why`, if something on it is wrong. */
bool args_read(struct args *args, int count, char **words, char *why, size_t why_bytes);
extern const char ARGS_HELP[];

#endif
