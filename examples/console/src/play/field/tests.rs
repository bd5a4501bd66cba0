//! Clicks and keys on a real world, and the orders they come to.

use super::*;
use game_sim::balance;
use match_feed::{
    Game,
    duel::{MapChoice, MatchSetup, PerSide, compose_tick},
};

const BLUE: Side = Side::Blue;

fn world() -> World {
    World::new(&MatchSetup {
        map: MapChoice::BuiltIn(0),
        mutators: 0,
        seed: 7,
        // Barracks from the start.
        openers: PerSide {
            blue: Some(2),
            red: None,
        },
    })
    .unwrap()
}

fn step(world: &mut World, orders: Vec<Command>) {
    world.step(&compose_tick(BLUE, orders, []));
}

/// Where on the terminal a tile is drawn.
fn character(field: &Field, tile: Tile) -> (u16, u16) {
    let camera = field.camera;
    let column = 2 * (tile.tx - camera.left) as u16;
    (column, TOP_ROWS + (tile.ty - camera.top) as u16)
}

fn own(world: &World, kind: UnitKind) -> UnitView {
    world
        .units()
        .find(|unit| unit.side == BLUE && unit.kind == kind)
        .unwrap()
}

fn drag(field: &mut Field, world: &World, from: Tile, to: Tile) {
    let (from, to) = (character(field, from), character(field, to));
    for input in [
        FieldInput::Press(from),
        FieldInput::Drag(to),
        FieldInput::Release { at: to, add: false },
    ] {
        assert_eq!(field.handle(input, world, BLUE), Ok(vec![]));
    }
}

#[test]
fn a_click_selects_and_a_right_click_moves() {
    let world = world();
    let mut field = Field::at_home(&world, BLUE);
    let scout = own(&world, UnitKind::RIFLE);
    drag(&mut field, &world, scout.at.tile(), scout.at.tile());
    assert_eq!(field.selected, BTreeSet::from([scout.id]));
    let to = Tile {
        tx: scout.at.tile().tx + 5,
        ty: scout.at.tile().ty + 3,
    };
    let orders = field.handle(FieldInput::Act(character(&field, to)), &world, BLUE);
    let expected = Command::Move {
        unit_ids: vec![scout.id],
        at: to.centre(),
    };
    assert_eq!(orders, Ok(vec![expected]));
}

#[test]
fn a_box_selects_fighters_and_leaves_harvesters_at_work() {
    let world = world();
    let mut field = Field::at_home(&world, BLUE);
    field.camera.size = (200, 100);
    field.camera.home(&world, BLUE);
    let home = world.home(BLUE);
    let corner = Tile {
        tx: home.tx.saturating_sub(12),
        ty: home.ty.saturating_sub(12),
    };
    let far = Tile {
        tx: home.tx + 12,
        ty: (home.ty + 12).min(world.map_size().height() - 1),
    };
    drag(&mut field, &world, corner, far);
    let fighters = world
        .units()
        .filter(|unit| unit.side == BLUE && unit.kind != UnitKind::HARVESTER);
    assert_eq!(field.selected, fighters.map(|unit| unit.id).collect());
}

#[test]
fn the_keyboard_alone_does_the_same() {
    let world = world();
    let mut field = Field::at_home(&world, BLUE);
    field.handle(FieldInput::Army, &world, BLUE).unwrap();
    assert!(!field.selected.is_empty());
    field.handle(FieldInput::AttackMove, &world, BLUE).unwrap();
    field
        .handle(FieldInput::Cursor(3, -2), &world, BLUE)
        .unwrap();
    let orders = field.handle(FieldInput::ActHere, &world, BLUE).unwrap();
    let home = world.home(BLUE);
    let at = Tile {
        tx: home.tx + 3,
        ty: home.ty - 2,
    };
    assert_eq!(
        orders,
        [Command::AttackMove {
            unit_ids: field.selected.iter().copied().collect(),
            at: at.centre()
        }]
    );
    assert_eq!(field.armed, None, "armed for one order");
}

#[test]
fn harvesters_sent_to_ore_mine_and_the_rest_walks() {
    let world = world();
    let mut field = Field::at_home(&world, BLUE);
    field.camera.size = (400, 200);
    let ore = world
        .ore_tiles()
        .map(|(tile, _)| tile)
        .find(|tile| world.explored(BLUE, *tile))
        .unwrap();
    let harvester = own(&world, UnitKind::HARVESTER);
    let rifle = own(&world, UnitKind::RIFLE);
    field.selected = BTreeSet::from([harvester.id, rifle.id]);
    field.cursor = Cursor::of(ore);
    let orders = field.handle(FieldInput::ActHere, &world, BLUE).unwrap();
    assert_eq!(
        orders,
        [
            Command::Harvest {
                unit_ids: vec![harvester.id],
                at: ore.centre()
            },
            Command::Move {
                unit_ids: vec![rifle.id],
                at: ore.centre()
            }
        ]
    );
}

#[test]
fn an_enemy_in_sight_is_attacked() {
    let mut world = world();
    let rifle = own(&world, UnitKind::RIFLE);
    let enemy = world.units().find(|unit| unit.side != BLUE).unwrap();
    let march = Command::Move {
        unit_ids: vec![rifle.id],
        at: enemy.at.cell(),
    };
    step(&mut world, vec![march]);
    let mut field = Field::at_home(&world, BLUE);
    field.selected = BTreeSet::from([rifle.id]);
    for _ in 0..1500 {
        step(&mut world, vec![]);
        let near = world
            .units()
            .find(|unit| unit.side != BLUE && world.visible(BLUE, unit.at.tile()));
        let Some(enemy) = near else { continue };
        field.cursor = Cursor::of(enemy.at.tile());
        let orders = field.handle(FieldInput::ActHere, &world, BLUE).unwrap();
        assert!(
            matches!(&orders[..], [Command::Attack { unit_ids, target_id }]
                if unit_ids == &[rifle.id] && world.unit(*target_id).is_some_and(|unit| unit.side != BLUE)),
            "{orders:?}"
        );
        return;
    }
    panic!("never met");
}

#[test]
fn a_building_is_chosen_paid_finished_and_placed() {
    let mut world = world();
    let mut field = Field::at_home(&world, BLUE);
    field.handle(FieldInput::Build, &world, BLUE).unwrap();
    assert_eq!(field.list, Some(List::Build));
    let entries = lists::buildings(&world, BLUE);
    let reactor = entries
        .iter()
        .position(|entry| entry.kind == BuildingKind::REACTOR)
        .unwrap();
    assert_eq!(entries[reactor].why_not, None);
    let orders = field
        .handle(FieldInput::Choose(reactor as u8), &world, BLUE)
        .unwrap();
    let started = Command::StartBuilding {
        building_kind: BuildingKind::REACTOR,
    };
    assert_eq!(orders, [started]);
    step(&mut world, orders);
    let early = field.handle(FieldInput::Build, &world, BLUE);
    assert!(early.unwrap_err().contains("is being built"));
    for _ in 0..400 {
        step(&mut world, vec![]);
    }
    field.handle(FieldInput::Build, &world, BLUE).unwrap();
    assert_eq!(field.armed, Some(Armed::Place(BuildingKind::REACTOR)));
    // On top of the command centre there is no room, and the building stays armed.
    assert!(field.handle(FieldInput::ActHere, &world, BLUE).is_err());
    assert!(field.armed.is_some());
    let map = world.map_size();
    let free = (0..map.height())
        .flat_map(|ty| (0..map.width()).map(move |tx| Tile { tx, ty }))
        .find(|tile| world.can_place(BLUE, BuildingKind::REACTOR, *tile))
        .unwrap();
    field.cursor = Cursor::of(free);
    let orders = field.handle(FieldInput::ActHere, &world, BLUE).unwrap();
    assert_eq!(orders, [Command::PlaceBuilding { at: free }]);
    step(&mut world, orders);
    assert!(world.buildings().any(|building| building.at == free));
}

#[test]
fn units_are_made_where_the_queue_is_shortest_and_taken_back() {
    let mut world = world();
    let mut field = Field::at_home(&world, BLUE);
    field.handle(FieldInput::Train, &world, BLUE).unwrap();
    let entries = lists::units(&world, BLUE);
    let able = entries
        .iter()
        .position(|entry| entry.why_not.is_none())
        .unwrap();
    let orders = field
        .handle(FieldInput::Choose(able as u8), &world, BLUE)
        .unwrap();
    let [
        Command::Produce {
            building_id,
            unit_kind,
        },
    ] = orders[..]
    else {
        panic!("{orders:?}");
    };
    let maker = world.building(building_id).unwrap();
    assert_eq!(maker.kind, balance::unit(unit_kind).made_in);
    assert_eq!(field.list, Some(List::Train), "it stays up");
    step(&mut world, orders.clone());
    let back = field.handle(FieldInput::TakeBack, &world, BLUE).unwrap();
    assert_eq!(
        back,
        [Command::CancelProduce {
            building_id,
            unit_kind
        }]
    );
    field.handle(FieldInput::Cancel, &world, BLUE).unwrap();
    assert_eq!(field.list, None);
}

#[test]
fn what_cannot_be_had_says_why() {
    let world = world();
    let mut field = Field::at_home(&world, BLUE);
    field.handle(FieldInput::Powers, &world, BLUE).unwrap();
    let why = field.handle(FieldInput::Choose(0), &world, BLUE);
    assert_eq!(why, Err("strike: needs uplink.".into()));
    assert_eq!(
        field.handle(FieldInput::Stop, &world, BLUE),
        Err("Select units first.".into())
    );
    assert!(field.handle(FieldInput::Sell, &world, BLUE).is_err());
}

#[test]
fn the_dead_are_not_selected() {
    let world = world();
    let mut field = Field::at_home(&world, BLUE);
    let rifle = own(&world, UnitKind::RIFLE);
    field.selected = BTreeSet::from([rifle.id, 9_999]);
    field.building = Some(9_999);
    field.follow(&world, BLUE);
    assert_eq!(field.selected, BTreeSet::from([rifle.id]));
    assert_eq!(field.building, None);
}
