use game_sim::*;
use match_feed::*;
use versus_codec::kit::Tile;
fn main() {
    for m in 0..6 {
        let w = World::new(&MatchSetup {
            map: MapChoice::BuiltIn(m),
            mutators: 0,
            seed: 1,
            openers: PerSide {
                blue: None,
                red: None,
            },
        })
        .unwrap();
        let s = w.map_size();
        let mut bad = 0;
        for ty in 0..s.height() {
            for tx in 0..s.width() {
                let a = Tile { tx, ty };
                let b = Tile {
                    tx: s.width() - 1 - tx,
                    ty: s.height() - 1 - ty,
                };
                if w.tile(a) != w.tile(b) || w.ore(a) != w.ore(b) {
                    bad += 1;
                }
            }
        }
        println!("map {m} bad {bad}");
    }
}
