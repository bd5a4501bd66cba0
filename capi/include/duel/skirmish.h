/*
 * duel/skirmish.h: a part of duel.h, usable alone.
 * The whole reference game behind a session: its catalogue, orders, AI, view, effects and replays.
 *
 * A library that was built without its feature "skirmish" has none of it.
 *
 * It holds:
 *   Skirmish level
 *   Skirmish level: the catalogue
 *   Skirmish level: orders
 *   Skirmish level: the world, for drawing
 *   Skirmish level: effects
 *   Skirmish level: what happened
 *   Skirmish level: replays
 */

/* Generated from capi/src by `cargo xtask header`: change it there. */

#ifndef DUEL_SKIRMISH_H
#define DUEL_SKIRMISH_H

#include "session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ============================================================================================================ *
 * Skirmish level
 *
 * The whole reference duel behind the same session: `duel_skirmish_new` in place of `duel_session_new`,
 * `duel_skirmish_begin` in place of `duel_session_begin`, and every other function of the match level as it is. Orders
 * are typed, an AI can play, and the world is read for drawing. Positions are 1024ths of a tile, x to the east, y to the
 * south; tiles count from the north-west corner.
 * ============================================================================================================ */

/** What plays a side: `DUEL_AI_...`. */
typedef int32_t duel_ai;

/** A person: nobody but `duel_skirmish_give`. */
#define DUEL_AI_NONE 0
/** Slow to act, and poor. */
#define DUEL_AI_EASY 1
/** A fair opponent. */
#define DUEL_AI_NORMAL 2
/** Quick, and well supplied. */
#define DUEL_AI_HARD 3

/**
 * As `duel_session_new`, for the reference game: `build` 0 and `game` NULL are its own.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: the caller owns it: `duel_session_free`.
 * Since: ABI 1.
 */
duel_status duel_skirmish_new(const duel_session_config *config, duel_link *link, char *why, size_t why_bytes,
    duel_session **session);

/**
 * Begins the agreed match: builds the world and takes this phone's side. `ai` (`DUEL_AI_...`) plays it, on top of
 * what `duel_skirmish_give` gives; `ai_seed` decides what it does.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_begin(duel_session *session, uint64_t now_us, duel_ai ai, uint32_t ai_seed);

/* ============================================================================================================ *
 * Skirmish level: the catalogue
 *
 * What there is to choose from and to build, by index and by name. Indices never change.
 * ============================================================================================================ */

/** A table of names: `DUEL_NAMES_...`. */
typedef int32_t duel_names;

/** Hand-made maps. */
#define DUEL_NAMES_MAPS 0
/** Biomes of random maps. */
#define DUEL_NAMES_BIOMES 1
/** Mutators, by bit. */
#define DUEL_NAMES_MUTATORS 2
/** Openers. */
#define DUEL_NAMES_OPENERS 3
/** Kinds of units. */
#define DUEL_NAMES_UNITS 4
/** Kinds of buildings. */
#define DUEL_NAMES_BUILDINGS 5
/** Powers. */
#define DUEL_NAMES_POWERS 6
/** Kinds of orders. */
#define DUEL_NAMES_ORDERS 7
/** Why an order did nothing, as sentences. */
#define DUEL_NAMES_REFUSALS 8

/** A kind of unit: `DUEL_UNIT_...`. */
typedef int32_t duel_unit_kind;

/** Mines ore and brings it to a refinery. */
#define DUEL_UNIT_HARVESTER 0
/** Fast and far-sighted, weak in a fight. */
#define DUEL_UNIT_SCOUT 1
/** Line infantry. */
#define DUEL_UNIT_RIFLE 2
/** Anti-armour infantry that also reaches aircraft. */
#define DUEL_UNIT_ROCKET 3
/** The line vehicle. */
#define DUEL_UNIT_TANK 4
/** Fires far, but only while anchored. */
#define DUEL_UNIT_ARTILLERY 5
/** Repairs vehicles and buildings nearby. */
#define DUEL_UNIT_REPAIR 6
/** Shoots at aircraft, from the ground. */
#define DUEL_UNIT_FLAK 7
/** Fast aircraft against aircraft and light targets. */
#define DUEL_UNIT_FIGHTER 8
/** Slow aircraft against buildings and vehicles. */
#define DUEL_UNIT_BOMBER 9
/** Air carrier: takes infantry aboard, and lifts a Goliath together with another. */
#define DUEL_UNIT_CONDOR 10
/** Slow heavy tank that Condors can carry. */
#define DUEL_UNIT_GOLIATH 11

/** A kind of building: `DUEL_BUILDING_...`. */
typedef int32_t duel_building_kind;

/** The command centre: a side that loses it is beaten. */
#define DUEL_BUILDING_HQ 0
/** Supplies power. */
#define DUEL_BUILDING_REACTOR 1
/** Takes in ore; comes with a harvester. */
#define DUEL_BUILDING_REFINERY 2
/** Trains infantry. */
#define DUEL_BUILDING_BARRACKS 3
/** Builds vehicles. */
#define DUEL_BUILDING_FACTORY 4
/** Builds aircraft. */
#define DUEL_BUILDING_AIRFIELD 5
/** Shoots at ground units. */
#define DUEL_BUILDING_TURRET 6
/** Enables the powers and sees far. */
#define DUEL_BUILDING_UPLINK 7

/** A power, called down on a point: `DUEL_POWER_...`. */
typedef int32_t duel_power;

/** Heavy damage in a small circle, after a delay. */
#define DUEL_POWER_STRIKE 0
/** Repairs one's own in a circle. */
#define DUEL_POWER_MEND 1
/** Reveals a large circle for a while. */
#define DUEL_POWER_SCAN 2
/** Drops a squad of rifles. */
#define DUEL_POWER_DROP 3

/** What a unit, a building or a power costs and is. Sized. Zero where it does not apply. */
typedef struct duel_skirmish_spec {
  /** `sizeof(duel_skirmish_spec)`. */
  uint32_t struct_size;
  /** What it costs, or -1 for what cannot be built. */
  int32_t cost;
  /** Ticks to make one at full power; of a power, ticks between two uses. */
  uint32_t build_ticks;
  /** Hit points when whole. */
  int32_t hp;
  /** How far it sees, tiles. */
  uint32_t sight_tiles;
  /** How far it shoots, anchored if it can anchor; of a power, the radius of its circle. */
  int32_t range;
  /** Distance a tick on plain ground. */
  int32_t speed;
  /** Half of a unit's width. */
  int32_t radius;
  /** 1: it flies. */
  int32_t flies;
  /** 1: it is infantry, and fits a Condor. */
  int32_t boards;
  /** The building that makes it, or -1. */
  int32_t made_in;
  /** The building its side must own besides, or -1. */
  int32_t needs;
  /** Tiles a building covers, east and south. */
  uint32_t tiles[2];
  /** Power a building supplies, or uses below 0. */
  int32_t power;
} duel_skirmish_spec;

/**
 * Writes the name at an index of a table (`DUEL_NAMES_...`), cut to `bytes`; `DUEL_EMPTY` past its end. In English.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_name(duel_names table, uint32_t index, char *to, size_t bytes);

/**
 * Writes a map's size in tiles; `DUEL_REFUSED` if there is no such map.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_map_size(const duel_map *map, uint32_t *width, uint32_t *height);

/**
 * What a kind of unit (`DUEL_NAMES_UNITS`), building (`DUEL_NAMES_BUILDINGS`) or power (`DUEL_NAMES_POWERS`) costs and
 * is.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_spec(duel_names table, uint32_t index, duel_skirmish_spec *spec);

/**
 * Writes which kinds of units and of buildings this match's mutators ban: bit `i` for kind `i`.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_bans(duel_session *session, uint32_t *units, uint32_t *buildings);

/* ============================================================================================================ *
 * Skirmish level: orders
 *
 * One structure for all twenty kinds of order. What breaks the rules does nothing, and comes back as an effect of kind
 * `DUEL_EFFECT_REFUSED` when its tick is stepped.
 * ============================================================================================================ */

/** A kind of order: `DUEL_ORDER_...`. */
typedef int32_t duel_order_kind;

/** `units` go to the place, firing only at what comes into range. */
#define DUEL_ORDER_MOVE 0
/** `units` go to the place, stopping to fight whatever is met. */
#define DUEL_ORDER_ATTACK_MOVE 1
/** `units`, harvesters, mine the ore at the place, then near it. */
#define DUEL_ORDER_HARVEST 2
/** `units` destroy `object`. */
#define DUEL_ORDER_ATTACK 3
/** `units` drop what they do. */
#define DUEL_ORDER_STOP 4
/** `units`, artillery, dig in to fire far. */
#define DUEL_ORDER_ANCHOR 5
/** `units`, artillery, get ready to move. */
#define DUEL_ORDER_PACK_UP 6
/** Building `object` queues a unit of kind `what`. */
#define DUEL_ORDER_PRODUCE 7
/** Building `object` takes the newest unit of kind `what` out of its queue. */
#define DUEL_ORDER_CANCEL_PRODUCE 8
/** Begin a building of kind `what`; one at a time. */
#define DUEL_ORDER_START_BUILDING 9
/** Give up the building begun. */
#define DUEL_ORDER_CANCEL_BUILDING 10
/** Call a reinforcement to the home edge. */
#define DUEL_ORDER_CALL_WAVE 11
/** Put the finished building down, its north-west tile at the place. */
#define DUEL_ORDER_PLACE_BUILDING 12
/** Sell building `object`. */
#define DUEL_ORDER_SELL 13
/** Units made in building `object` go to the place. */
#define DUEL_ORDER_RALLY 14
/** Use power `what` on the place. */
#define DUEL_ORDER_CALLDOWN 15
/** `units`, infantry, get aboard Condor `object`. */
#define DUEL_ORDER_BOARD 16
/** `units`, Condors, put down what they carry: at the place, or (`here`) where each is. */
#define DUEL_ORDER_UNLOAD 17
/** `units`, Condors, lift Goliath `object` together. */
#define DUEL_ORDER_LIFT 18
/** Give up the match; `duel_session_resign` does the same ahead of everything that waits. */
#define DUEL_ORDER_RESIGN 19
/** The most units one order names. */
#define DUEL_ORDER_UNITS_MAX 200

/** An order. Sized. Which fields count depends on its kind. */
typedef struct duel_skirmish_order {
  /** `sizeof(duel_skirmish_order)`. */
  uint32_t struct_size;
  /** Which, `DUEL_ORDER_...`. */
  int32_t kind;
  /** Who: ids of one's own units. */
  const uint32_t *units;
  /** How many. */
  uint32_t unit_count;
  /** The other thing it names by id: a target, a building, a Condor, a Goliath. */
  uint32_t object;
  /** A kind of unit or building, or a power. */
  int32_t what;
  /** The place, 1024ths of a tile. */
  int32_t x;
  /** The place. */
  int32_t y;
  /** Unload: 1 for where each Condor is. */
  int32_t here;
} duel_skirmish_order;

/**
 * Gives an order: it is applied on both phones a few ticks later. `DUEL_REFUSED`: it names no unit, or too much waits.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing; the units are copied.
 * Since: ABI 1.
 */
duel_status duel_skirmish_give(duel_session *session, uint64_t now_us, const duel_skirmish_order *order);

/**
 * Writes this phone's own order number `index` (its AI's among them) of those that are given and not applied yet, in the
 * order they will be: what to show a player as done already, so that a second tap within the delay does what it would
 * without one. `DUEL_EMPTY` past the last. Fields that an order's kind does not name are zero; its units lie in the session:
 * read them before the next call. One that a newer one replaced is not among them, one of many units may be several, and
 * none are before the match and after its end.
 *
 * Thread: the game's.
 * Realtime: no. Bounded by what waits.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_in_flight(duel_session *session, uint32_t index, duel_skirmish_order *order);

/* ============================================================================================================ *
 * Skirmish level: the world, for drawing
 *
 * Read-only: nothing here changes anything. Draw it after `duel_session_run`, moving units between their last position
 * and this one by `pose_permille`.
 * ============================================================================================================ */

/** Position units to a tile. */
#define DUEL_SUBS_PER_TILE 1024
/** The most units a building queues. */
#define DUEL_QUEUE_MAX 5

/** What a tile is made of: `DUEL_TERRAIN_...`. */
typedef int32_t duel_terrain;

/** Open ground. */
#define DUEL_TERRAIN_PLAIN 0
/** Slows what drives or walks. */
#define DUEL_TERRAIN_ROUGH 1
/** Blocks the ground. */
#define DUEL_TERRAIN_ROCK 2
/** Blocks the ground. */
#define DUEL_TERRAIN_WATER 3

/** What a unit is doing: `DUEL_ACTIVITY_...`. */
typedef int32_t duel_activity;

/** Nothing. */
#define DUEL_ACTIVITY_IDLE 0
/** Going somewhere. */
#define DUEL_ACTIVITY_MOVING 1
/** Going somewhere, fighting on the way. */
#define DUEL_ACTIVITY_ATTACK_MOVING 2
/** Destroying something it was told to. */
#define DUEL_ACTIVITY_ATTACKING 3
/** Mining, or bringing ore home. */
#define DUEL_ACTIVITY_HARVESTING 4
/** On its way aboard a Condor. */
#define DUEL_ACTIVITY_BOARDING 5
/** On its way to put down what it carries. */
#define DUEL_ACTIVITY_UNLOADING 6
/** On its way to hook a Goliath. */
#define DUEL_ACTIVITY_LIFTING 7

/** The world at a glance. Sized. Pairs are blue's and red's. */
typedef struct duel_skirmish_world {
  /** `sizeof(duel_skirmish_world)`. */
  uint32_t struct_size;
  /** How many ticks have been stepped. */
  uint32_t tick;
  /** The map's size in tiles. */
  uint32_t width;
  /** The map's size in tiles. */
  uint32_t height;
  /** How many units there are. */
  uint32_t units;
  /** How many buildings there are. */
  uint32_t buildings;
  /** Credits. */
  uint32_t credits[2];
  /** Power supplied less power used; below 0 everything is made at half speed. */
  int32_t power[2];
  /** The building begun, a kind, or -1. */
  int32_t site[2];
  /** How far it is, in thousandths; 1000 waits to be placed. */
  uint32_t site_permille[2];
  /** The tick from which the next wave can be called. */
  uint32_t wave_ready[2];
  /** The tick from which each power can be used: blue's four, then red's. */
  uint32_t powers_ready[2][4];
  /** The tile at the middle of each home: x, y. */
  uint32_t homes[2][2];
  /** What a wave costs. */
  uint32_t wave_cost;
  /** Zero. */
  uint32_t reserved;
} duel_skirmish_world;

/** A unit. Frozen. */
typedef struct duel_skirmish_unit {
  /** Its id, for as long as it lives. */
  uint32_t id;
  /** Whose. */
  int32_t side;
  /** What, `DUEL_UNIT_...`. */
  int32_t kind;
  /** Where. */
  int32_t x;
  /** Where. */
  int32_t y;
  /** Hit points left. */
  int32_t hp;
  /** Hit points when whole. */
  int32_t hp_whole;
  /** What it does, `DUEL_ACTIVITY_...`. */
  int32_t activity;
  /** What it shoots at: an id, or -1. */
  int32_t target;
  /** The Condor it is aboard of, or that carries it, or -1: then it is not on the map. */
  int32_t carrier;
  /** Ore aboard, credits. */
  uint32_t load;
  /** 1: dug in, or busy digging in or packing up. */
  int32_t dug_in;
} duel_skirmish_unit;

/** A building. Frozen. */
typedef struct duel_skirmish_building {
  /** Its id, for as long as it stands. */
  uint32_t id;
  /** Whose. */
  int32_t side;
  /** What, `DUEL_BUILDING_...`. */
  int32_t kind;
  /** Its north-west tile. */
  uint32_t tile_x;
  /** Its north-west tile. */
  uint32_t tile_y;
  /** Tiles it covers, east. */
  uint32_t tiles_x;
  /** Tiles it covers, south. */
  uint32_t tiles_y;
  /** Hit points left. */
  int32_t hp;
  /** Hit points when whole. */
  int32_t hp_whole;
  /** What it shoots at: an id, or -1. */
  int32_t target;
  /** 1: units made there go to `rally_x`, `rally_y`. */
  int32_t has_rally;
  /** Where. */
  int32_t rally_x;
  /** Where. */
  int32_t rally_y;
  /** How many units it has in its queue. */
  uint32_t queued;
  /** Their kinds, the first first; -1 after the last. */
  int32_t queue[5];
  /** How far the first is, in thousandths. */
  uint32_t progress_permille;
} duel_skirmish_building;

/**
 * Reads the world at a glance.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_world(duel_session *session, duel_skirmish_world *glance);

/**
 * Reads the units, by id: at most `capacity`, and writes how many there are. With `seen_by` a side, only its own and
 * those of its enemy that it sees; with -1 all.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_units(duel_session *session, int32_t seen_by, duel_skirmish_unit *units,
    size_t capacity, size_t *count);

/**
 * Reads the buildings, by id: at most `capacity`, and writes how many there are. With `seen_by` a side, only its own and
 * those of its enemy of which it sees a tile; with -1 all.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_buildings(duel_session *session, int32_t seen_by,
    duel_skirmish_building *buildings, size_t capacity, size_t *count);

/**
 * Reads the ground, `DUEL_TERRAIN_...` for each tile, row by row from the north-west: width x height bytes. It does not
 * change within a match.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_terrain(duel_session *session, uint8_t *tiles, size_t capacity);

/**
 * Reads the ore left, in credits, for each tile as `duel_skirmish_get_terrain`.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_ore(duel_session *session, uint16_t *tiles, size_t capacity);

/**
 * Reads what a side sees, for each tile as `duel_skirmish_get_terrain`: 0 never seen, 1 seen before, 2 in sight.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_fog(duel_session *session, duel_side side, uint8_t *tiles, size_t capacity);

/**
 * Writes 1 if a building of that kind may be placed with its north-west tile there, 0 if not.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_can_place(duel_session *session, duel_side side, int32_t kind, uint32_t tile_x,
    uint32_t tile_y, int32_t *may);

/* ============================================================================================================ *
 * Skirmish level: effects
 *
 * What happened in the ticks just stepped, for the eye and the ear. Nothing of it feeds back into the world.
 * ============================================================================================================ */

/** Something that happened: `DUEL_EFFECT_...`. */
typedef int32_t duel_effect_kind;

/** A shot from `x`, `y` at `to_x`, `to_y`; `flag` 1 if it bursts. */
#define DUEL_EFFECT_SHOT 1
/** A unit `id` of kind `what` came into the world. */
#define DUEL_EFFECT_UNIT_MADE 2
/** A unit was destroyed. */
#define DUEL_EFFECT_UNIT_LOST 3
/** A building `id` of kind `what` was put down. */
#define DUEL_EFFECT_BUILDING_PLACED 4
/** A building is gone; `flag` 1 if it was sold. */
#define DUEL_EFFECT_BUILDING_LOST 5
/** A building of kind `what` is finished and waits to be placed. */
#define DUEL_EFFECT_BUILDING_READY 6
/** A reinforcement arrived. */
#define DUEL_EFFECT_WAVE 7
/** Power `what` was called down. */
#define DUEL_EFFECT_POWER 8
/** A strike fell. */
#define DUEL_EFFECT_STRIKE 9
/** Goliath `id` was lifted (`flag` 1) or put down (0). */
#define DUEL_EFFECT_GOLIATH 10
/** An order of kind `what` did nothing, for reason `id` of `DUEL_NAMES_REFUSALS`. */
#define DUEL_EFFECT_REFUSED 11
/** A side gave up. */
#define DUEL_EFFECT_RESIGNED 12

/** An effect. Sized. */
typedef struct duel_skirmish_effect {
  /** `sizeof(duel_skirmish_effect)`. */
  uint32_t struct_size;
  /** What, `DUEL_EFFECT_...`. */
  int32_t kind;
  /** The tick it happened in. */
  uint32_t tick;
  /** Whose. */
  int32_t side;
  /** Which, by id, or -1. */
  int32_t id;
  /** A kind of unit, building, power or order, or -1. */
  int32_t what;
  /** 0 or 1. */
  int32_t flag;
  /** Which sides saw the place: 1 blue, 2 red, added up; 3 where there is no place. */
  uint32_t seen_by;
  /** Where. */
  int32_t x;
  /** Where. */
  int32_t y;
  /** Where to. */
  int32_t to_x;
  /** Where to. */
  int32_t to_y;
} duel_skirmish_effect;

/* ============================================================================================================ *
 * Skirmish level: what happened
 *
 * The effects of the section before, one by one.
 * ============================================================================================================ */

/**
 * The next effect of the ticks stepped; `DUEL_EMPTY` when there is no more. The last 1,024 are kept.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_poll_effect(duel_session *session, duel_skirmish_effect *effect);

/* ============================================================================================================ *
 * Skirmish level: replays
 *
 * A saved record as a session without a peer: run it, pause it and draw it as a match. Every hash is compared.
 * ============================================================================================================ */

/** What a replay found so far. Sized. */
typedef struct duel_replay_report {
  /** `sizeof(duel_replay_report)`. */
  uint32_t struct_size;
  /** Ticks stepped. */
  uint32_t ticks;
  /** Ticks of the record. */
  uint32_t ticks_recorded;
  /** Hashes that agreed before the first difference. */
  uint32_t hashes_equal;
  /** The first tick whose hash differs, or -1. */
  int32_t differs_at;
  /** 1 once the recorded end was reached with the recorded outcome, and every hash agreed. */
  int32_t agrees;
  /** The build that saved it, and this library's: another one may play it differently. */
  uint32_t builds[2];
} duel_replay_report;

/**
 * Opens a record of the skirmish, as `duel_session_record` wrote it. The session has no peer: it runs, pauses and
 * is drawn; what needs a peer is `DUEL_UNSUPPORTED`.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: the caller owns it: `duel_session_free`. The bytes are copied.
 * Since: ABI 1.
 */
duel_status duel_replay_new(const uint8_t *record, size_t length, char *why, size_t why_bytes,
    duel_session **session);

/**
 * Goes to a tick of the record, or to its end: forward by stepping, back by starting over.
 *
 * Thread: the game's.
 * Realtime: no. Up to a second or so for a long match.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_replay_seek(duel_session *session, uint32_t tick);

/**
 * Sets how fast a replay runs, in thousandths, up to 100,000; but one run steps at most 5 ticks.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_replay_set_speed(duel_session *session, uint32_t permille);

/**
 * What the replay found so far.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_replay_get_report(duel_session *session, duel_replay_report *report);

#ifdef __cplusplus
}
#endif

#endif /* DUEL_SKIRMISH_H */
