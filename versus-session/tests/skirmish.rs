//! The reference game, played by its AIs over the packet link: nothing in the session knows it.

#[path = "common/skirmish.rs"]
mod skirmish;

use link_transport::{AirConfig, AirEnd, LinkTime, Loss, PacketAir, Plan};
use match_feed::duel::{MapChoice, Side};
use skirmish::{Phone, assert_equal_records};
use versus_pairing::{Entry, HostChoice};

fn play(loss: f64, ticks: usize, map: MapChoice, host_side: Side, seed: u64) {
    let air = AirConfig::default().with_loss([Loss::Bernoulli(loss); 2]);
    let (host_end, guest_end) = PacketAir::pair(air, seed);
    let choice = HostChoice::new(map).with_host_side(host_side);
    let mut host = Phone::new(host_end, Entry::Host(choice), Plan::High, 2 * seed);
    let mut guest = Phone::new(guest_end, Entry::Guest, Plan::High, 2 * seed + 1);
    let mut now = LinkTime::ZERO;
    let over =
        |phone: &Phone<AirEnd>, now| phone.session.end(now).is_some_and(|end| end.is_settled());
    while now < LinkTime::from_ms(ticks as u64 * 200 + 60_000) {
        now = LinkTime::from_us(now.as_us() + 16_667);
        host.frame(now);
        guest.frame(now);
        let played = host.hashes.len() > ticks && guest.hashes.len() > ticks;
        if played || (over(&host, now) && over(&guest, now)) {
            break;
        }
    }
    let both = host.hashes.len().min(guest.hashes.len());
    let decided = over(&host, now);
    assert!(
        decided || both > ticks,
        "{both} ticks: {:?}",
        host.session.status(now)
    );
    assert_eq!(host.hashes[..both], guest.hashes[..both]);
    assert!(
        host.orders > 20 && guest.orders > 20,
        "{} and {}",
        host.orders,
        guest.orders
    );
    if decided {
        assert_equal_records([&host, &guest]);
    }
}

#[test]
fn ai_against_ai_for_five_minutes_at_ten_percent_loss() {
    play(0.1, 3000, MapChoice::BuiltIn(0), Side::Blue, 11);
}

#[test]
fn ai_against_ai_on_a_random_map_with_the_host_red() {
    play(
        0.0,
        1200,
        MapChoice::Random { biome: 1, seed: 99 },
        Side::Red,
        12,
    );
}
