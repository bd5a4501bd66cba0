//! How matches end, what mutators and openers do, and the maps.

use super::*;
use crate::{
    BuildingKind, MUTATORS, OPENERS, SetupError, balance, biome_count, map_count, map_name,
    map_size, opener_allowed,
};
use match_feed::{EndReason, Outcome, duel::DuelOutcome};

fn resigning(sides: &[Side]) -> Option<Outcome> {
    let mut world = empty(0);
    let orders: Vec<Order<Command>> = sides
        .iter()
        .map(|&side| Order {
            seat: side.seat(),
            command: Command::Resign,
        })
        .collect();
    world.step(&orders);
    let hash = world.hash();
    world.step(&[]);
    assert_eq!(
        world.outcome().is_some(),
        world.hash() == hash,
        "a decided world stands still"
    );
    world.outcome()
}

#[test]
fn a_resignation_loses_and_two_draw() {
    let resign = |winner| {
        Some(
            DuelOutcome {
                winner,
                reason: EndReason::Resign,
            }
            .into(),
        )
    };
    assert_eq!(resigning(&[BLUE]), resign(Some(RED)));
    assert_eq!(resigning(&[RED]), resign(Some(BLUE)));
    assert_eq!(resigning(&[BLUE, RED]), resign(None));
    assert_eq!(resigning(&[]), None);
}

fn razing(sides: &[Side]) -> Option<Outcome> {
    let mut world = empty(0);
    for building in &mut world.state.buildings {
        if building.kind == BuildingKind::HQ && sides.contains(&building.side) {
            building.hp = 0;
        }
    }
    world.step(&[]);
    world.outcome()
}

#[test]
fn a_fallen_command_centre_loses_and_two_draw() {
    assert_eq!(razing(&[BLUE]), Some(Outcome::won(RED)));
    assert_eq!(razing(&[RED]), Some(Outcome::won(BLUE)));
    assert_eq!(razing(&[BLUE, RED]), Some(Outcome::draw()));
}

#[test]
fn a_long_match_burns_down_in_favour_of_the_stronger() {
    let mut world = empty(0);
    spawn(&mut world, RED, UnitKind::RIFLE, 50, 20);
    assert!(run_until(&mut world, 9000, |world| world
        .outcome()
        .is_some()));
    assert_eq!(world.outcome(), Some(Outcome::won(RED)));
    let mut even = empty(0);
    assert!(run_until(&mut even, 9000, |world| world
        .outcome()
        .is_some()));
    assert_eq!(even.outcome(), Some(Outcome::draw()));
}

fn mutator(name: &str) -> u16 {
    1 << MUTATORS.iter().position(|known| *known == name).unwrap()
}

#[test]
fn mutators_change_what_they_say() {
    let with = |name: &str| World::new(&setup(mutator(name))).unwrap();
    let plain = World::new(&setup(0)).unwrap();
    let ore = |world: &World| {
        world
            .ore_tiles()
            .map(|(_, ore)| u32::from(ore))
            .sum::<u32>()
    };
    assert!(ore(&with("bonanza")) > ore(&plain) * 3 / 2);
    assert!(ore(&with("famine")) < ore(&plain) * 2 / 3);
    assert!(with("clearSkies").visible(BLUE, tile(60, 3)) && !plain.visible(BLUE, tile(60, 3)));
    assert!(with("blitz").units().count() > plain.units().count());
    let damage = |name: &str| with(name).rules.damage_percent;
    assert!(damage("glass") > 100 && damage("stout") < 100);
    assert!(with("swift").rules.speed_percent > 100);
    assert!(with("rush").rules.build_percent > 100);
    assert!(
        with("grounded").bans_building(BuildingKind::AIRFIELD)
            && with("grounded").bans_unit(UnitKind::CONDOR)
    );
    let refusal = |name: &str, command: Command| {
        let mut world = with(name);
        world.put_building(BLUE, BuildingKind::UPLINK, tile(5, 50));
        world.put_building(BLUE, BuildingKind::BARRACKS, tile(15, 60));
        order(&mut world, BLUE, [command])
    };
    let power = Command::Calldown {
        power: crate::Power::SCAN,
        at: cell(9, 9),
    };
    let turret = Command::StartBuilding {
        building_kind: BuildingKind::TURRET,
    };
    assert_eq!(refusal("powerless", power), only(Refusal::Banned));
    assert_eq!(
        refusal("waveless", Command::CallWave),
        only(Refusal::Banned)
    );
    assert_eq!(refusal("disarmed", turret), only(Refusal::Banned));
}

#[test]
fn a_setup_the_game_does_not_have_is_refused() {
    let refused = |setup: MatchSetup| World::new(&setup).unwrap_err();
    let unknown = MatchSetup {
        map: MapChoice::BuiltIn(6),
        ..setup(0)
    };
    assert_eq!(refused(unknown), SetupError::Map { index: 6 });
    let unknown = MatchSetup {
        map: MapChoice::Random { biome: 5, seed: 1 },
        ..setup(0)
    };
    assert_eq!(refused(unknown), SetupError::Biome { index: 5 });
    assert_eq!(
        refused(setup(1 << 12)),
        SetupError::Mutators { mask: 1 << 12 }
    );
    let fortress = |mutators, opener| MatchSetup {
        openers: PerSide {
            blue: None,
            red: Some(opener),
        },
        ..setup(mutators)
    };
    let no = SetupError::Opener {
        side: RED,
        index: 2,
    };
    assert_eq!(refused(fortress(mutator("disarmed"), 2)), no);
    assert_eq!(
        refused(fortress(0, 3)),
        SetupError::Opener {
            side: RED,
            index: 3
        }
    );
    assert!(World::new(&fortress(0, 2)).is_ok());
}

#[test]
fn every_opener_is_offered_or_blocked_as_the_world_takes_it() {
    for mutators in 0..1_u16 << MUTATORS.len() {
        for opener in 0..=OPENERS.len() as u8 {
            let setup = setup(mutators);
            let expected = opener < OPENERS.len() as u8
                && match OPENERS[usize::from(opener)] {
                    "prospector" => mutators & (mutator("famine") | mutator("blitz")) == 0,
                    "fortress" => mutators & (mutator("disarmed") | mutator("blitz")) == 0,
                    _ => true,
                };
            for side in Side::BOTH {
                assert_eq!(opener_allowed(&setup, side, opener), expected);
            }
        }
    }
}

#[test]
fn openers_give_each_side_the_same_in_its_place() {
    for opener in 0..OPENERS.len() as u8 {
        let both = MatchSetup {
            openers: PerSide {
                blue: Some(opener),
                red: Some(opener),
            },
            ..setup(0)
        };
        let world = World::new(&both).unwrap();
        let kinds = |side| {
            let mut kinds: Vec<UnitKind> = world
                .units()
                .filter(|unit| unit.side == side)
                .map(|unit| unit.kind)
                .collect();
            kinds.sort_unstable();
            kinds
        };
        assert_eq!(kinds(BLUE), kinds(RED));
        let size = world.map_size();
        let places = |side| -> Vec<(BuildingKind, Tile)> {
            let own = world.buildings().filter(|own| own.side == side);
            own.map(|own| {
                let turned = tile(
                    size.width() - own.at.tx - own.tiles.0,
                    size.height() - own.at.ty - own.tiles.1,
                );
                (own.kind, if side == BLUE { own.at } else { turned })
            })
            .collect()
        };
        assert_eq!(
            places(BLUE),
            places(RED),
            "{}",
            OPENERS[usize::from(opener)]
        );
        let units = world.units();
        let mining: Vec<_> = units
            .filter(|unit| unit.kind == UnitKind::HARVESTER)
            .collect();
        assert!(mining.len() >= 4);
        assert!(
            mining
                .iter()
                .all(|unit| unit.activity == crate::Activity::Harvesting),
            "openers set harvesters mining"
        );
    }
}

fn maps() -> impl Iterator<Item = MapChoice> {
    let random = (0..biome_count()).flat_map(|biome| {
        (0..60).map(move |seed| MapChoice::Random {
            biome,
            seed: seed * 977,
        })
    });
    (0..map_count()).map(MapChoice::BuiltIn).chain(random)
}

#[test]
fn every_map_is_fair_connected_and_of_the_size_it_says() {
    for map in maps() {
        let world = World::new(&MatchSetup { map, ..setup(0) }).unwrap();
        let size = world.map_size();
        assert_eq!(map_size(map), Some(size));
        assert!((64..=128).contains(&size.width()) && (64..=128).contains(&size.height()));
        assert!(map_name(map).is_some());
        let turned = |at: Tile| tile(size.width() - 1 - at.tx, size.height() - 1 - at.ty);
        for ty in 0..size.height() {
            for tx in 0..size.width() {
                let at = tile(tx, ty);
                assert_eq!(world.tile(at), world.tile(turned(at)), "{map:?} {at:?}");
                assert_eq!(world.ore(at), world.ore(turned(at)), "{map:?} {at:?}");
            }
        }
        assert_eq!(world.home(RED), turned(world.home(BLUE)));
        let reached = world.map.reached_from(world.home(BLUE));
        assert!(
            reached[world.map.index(world.home(RED))],
            "{map:?}: the homes are connected"
        );
        let ore: Vec<Tile> = world.ore_tiles().map(|(at, _)| at).collect();
        assert!(
            ore.iter().all(|&at| reached[world.map.index(at)]),
            "{map:?}: all ore can be reached"
        );
        // Enough ore near home: a refinery's worth of rounds within 18 tiles.
        let home = Point::of_tile(world.home(BLUE));
        let close = world
            .ore_tiles()
            .filter(|(at, _)| Point::of_tile(*at).within(home, 18 * crate::SUBS_PER_TILE));
        let close: u32 = close.map(|(_, ore)| u32::from(ore)).sum();
        assert!(
            close > 40 * u32::from(balance::HARVESTER_LOAD),
            "{map:?}: {close} credits near home"
        );
    }
}
