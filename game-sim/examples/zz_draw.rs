use game_sim::*;
use match_feed::*;
use versus_codec::CommandCodec;
use versus_codec::kit::Tile;
fn main() {
    let a: Vec<u32> = std::env::args()
        .skip(1)
        .map(|x| x.parse().unwrap())
        .collect();
    let setup = MatchSetup {
        map: if a[0] < 6 {
            MapChoice::BuiltIn(a[0] as u8)
        } else {
            MapChoice::Random {
                biome: (a[0] - 8) as u8,
                seed: a[1],
            }
        },
        mutators: 0,
        seed: a[1],
        openers: PerSide {
            blue: None,
            red: None,
        },
    };
    let every = a[2];
    let mut w = World::new(&setup).unwrap();
    let codec = SkirmishCodec::new(w.map_size());
    let mut ais = PerSide::from_fn(|s| Ai::new(s, AiLevel::Normal, setup.seed));
    let mut t = 0;
    loop {
        if t % every == 0 || w.outcome().is_some() {
            draw(&w, &format!("/tmp/gs/f{:05}.ppm", t));
            for s in Side::BOTH {
                let mut k = vec![0; 12];
                for u in w.units().filter(|u| u.side == s) {
                    k[u.kind.0 as usize] += 1
                }
                let b: Vec<String> = w
                    .buildings()
                    .filter(|b| b.side == s)
                    .map(|b| format!("{}:{}", b.kind, b.hp))
                    .collect();
                println!(
                    "t{t} {s:?} cr {} pow {} units {:?} {:?} site {:?}",
                    w.credits(s),
                    w.power(s),
                    k,
                    b,
                    w.site(s)
                );
            }
        }
        if w.outcome().is_some() || t > 12000 {
            println!("{:?}", w.outcome());
            break;
        }
        let mut o = |s: Side| {
            let mut v = vec![];
            for c in ais[s].think(&w) {
                if !matches!(c, Command::Produce { .. }) {
                    println!("   {t} {s:?} {c:?}");
                }
                let _ = codec.canonicalize(c, &mut |p| v.push(p));
            }
            v
        };
        let (b, r) = (o(Side::Blue), o(Side::Red));
        w.step(&compose_tick(Side::Blue, b, r));
        for e in w.events() {
            if let FxEvent::Refused { .. } = e {
                println!("   {t} {e:?}");
            }
        }
        t += 1;
    }
}
fn draw(w: &World, p: &str) {
    let m = w.map_size();
    let z = 10usize;
    let (wd, ht) = (m.width() as usize * z, m.height() as usize * z);
    let mut px = vec![0u8; wd * ht * 3];
    let mut set = |x: i64, y: i64, c: [u8; 3]| {
        if x >= 0 && y >= 0 && (x as usize) < wd && (y as usize) < ht {
            let i = (y as usize * wd + x as usize) * 3;
            px[i..i + 3].copy_from_slice(&c);
        }
    };
    for ty in 0..m.height() {
        for tx in 0..m.width() {
            let t = Tile { tx, ty };
            let mut c = match w.tile(t) {
                Terrain::Plain => [110, 130, 90],
                Terrain::Rough => [130, 115, 80],
                Terrain::Rock => [70, 70, 70],
                Terrain::Water => [50, 80, 140],
            };
            let o = w.ore(t);
            if o > 0 {
                c = [200, 170, (60 - (o / 12).min(60)) as u8];
            }
            for y in 0..z {
                for x in 0..z {
                    set(
                        (tx as usize * z + x) as i64,
                        (ty as usize * z + y) as i64,
                        c,
                    )
                }
            }
        }
    }
    for b in w.buildings() {
        let c = if b.side == Side::Blue {
            [60, 60, 200]
        } else {
            [200, 50, 50]
        };
        for y in 0..b.tiles.1 as usize * z {
            for x in 0..b.tiles.0 as usize * z {
                let edge = x == 0
                    || y == 0
                    || x == b.tiles.0 as usize * z - 1
                    || y == b.tiles.1 as usize * z - 1;
                set(
                    (b.at.tx as usize * z + x) as i64,
                    (b.at.ty as usize * z + y) as i64,
                    if edge { [0, 0, 0] } else { c },
                )
            }
        }
    }
    for u in w.units() {
        if u.carrier.is_some() {
            continue;
        }
        let s = z as i64;
        let (x, y) = (u.at.x as i64 * s / 1024, u.at.y as i64 * s / 1024);
        let c = if u.side == Side::Blue {
            [120, 160, 255]
        } else {
            [255, 130, 110]
        };
        let r = balance::unit(u.kind).radius as i64 * s / 1024;
        for dy in -r..=r {
            for dx in -r..=r {
                if dx * dx + dy * dy <= r * r {
                    let cc = if u.kind == UnitKind::HARVESTER {
                        [255, 255, 0]
                    } else if balance::unit(u.kind).gait == balance::Gait::Air {
                        [255, 255, 255]
                    } else {
                        c
                    };
                    set(
                        x + dx,
                        y + dy,
                        if dx * dx + dy * dy > (r - 1) * (r - 1) {
                            c
                        } else {
                            cc
                        },
                    )
                }
            }
        }
    }
    let mut f = format!("P6 {wd} {ht} 255\n").into_bytes();
    f.extend(px);
    std::fs::write(p, f).unwrap();
}
