//! Fixed pieces of work whose instructions are counted, since counts, unlike times, are the same in every run.
//!
//! `cargo xtask callgrind` runs each under callgrind, which counts only what happens inside [`callgrind_measured`], and
//! compares with the counts committed. What is prepared is not counted.

use super::{
    brawl, net, playing, sim,
    sound::{self, BLOCK_FRAMES, Duplex, RATE_HZ},
    viterbi,
};
use link_fec::viterbi::Viterbi;
use link_modem::Listen;
use link_transport::{Plan, Role};
use std::{error::Error, hint::black_box};

const SECOND: usize = RATE_HZ as usize;
/// By then every stream is found.
const FOUND_FRAMES: usize = 4 * SECOND;
const VITERBI_BLOCKS: usize = 100;

/// Prepares one piece of work and returns it.
type Prepare = fn() -> Result<Box<dyn FnMut()>, Box<dyn Error>>;

/// Every piece there is, by name.
const WORKLOADS: [(&str, Prepare); 12] = [
    ("modem_high_1s", || modem(Plan::High)),
    ("modem_low_1s", || modem(Plan::Low)),
    ("search_one_plan_1s", || search(Listen::Role(Role::Host))),
    ("search_both_plans_1s", || search(Listen::Detect)),
    ("viterbi_100_blocks", decode),
    ("net_rollback8_300_frames", net::workload),
    ("lockstep_300_ticks", playing::lockstep_workload),
    ("sim_400_units_60_steps", sim::workload),
    ("brawl_2_600_steps", brawl::workload_of_two),
    ("brawl_8_600_steps", brawl::workload_of_eight),
    ("brawl_1000_saves", brawl::workload_save),
    ("brawl_1000_loads", brawl::workload_load),
];

/// Does the named piece once. `list` prints the names.
pub fn run(name: &str) -> Result<(), Box<dyn Error>> {
    if name == "list" {
        for (name, _) in WORKLOADS {
            say!("{name}");
        }
        return Ok(());
    }
    let (_, prepare) = WORKLOADS
        .iter()
        .find(|workload| workload.0 == name)
        .ok_or_else(|| format!("--workload {name}: no such piece of work; try list"))?;
    let mut work = prepare()?;
    callgrind_measured(&mut work);
    Ok(())
}

/// Callgrind counts from the call of this function to its return: it is found by its name.
#[inline(never)]
fn callgrind_measured(work: &mut dyn FnMut()) {
    work();
    black_box(());
}

/// A second of full duplex in fast, once the peer is heard.
fn modem(plan: Plan) -> Result<Box<dyn FnMut()>, Box<dyn Error>> {
    let peer = sound::signal(plan, Role::Guest, FOUND_FRAMES + SECOND)?;
    let listen = Listen::Role(Role::Guest);
    let mut phone = Duplex::new(sound::modem_of(plan, Role::Host, listen)?);
    if phone.hear(&peer[..FOUND_FRAMES], |_| {}) == 0 {
        return Err("the modem heard nothing".into());
    }
    Ok(Box::new(move || {
        black_box(phone.hear(&peer[FOUND_FRAMES..], |_| {}));
    }))
}

/// A second in which a modem looks for a peer who is not there.
fn search(rx: Listen) -> Result<Box<dyn FnMut()>, Box<dyn Error>> {
    let mut phone = Duplex::new(sound::modem_of(Plan::High, Role::Guest, rx)?);
    let nobody = vec![0.0; SECOND.next_multiple_of(BLOCK_FRAMES)];
    phone.hear(&nobody, |_| {});
    Ok(Box::new(move || {
        black_box(phone.hear(&nobody, |_| {}));
    }))
}

fn decode() -> Result<Box<dyn FnMut()>, Box<dyn Error>> {
    let blocks = viterbi::blocks(VITERBI_BLOCKS);
    let mut decoder = Viterbi::new();
    let mut info = [0; viterbi::INFO_BITS];
    Ok(Box::new(move || {
        for block in &blocks {
            decoder.decode(black_box(&block.quantised), &mut info);
            black_box(&info);
        }
    }))
}
