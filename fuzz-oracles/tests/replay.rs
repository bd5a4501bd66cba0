//! Every target's committed corpus and a stretch of seeded mutations of it, through its oracle.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use std::{fs, panic, path::PathBuf};

/// Mutations of a target's inputs, all together. A target that runs a whole modem takes fewer.
const MUTATIONS: usize = 12_000;
const SLOW_MUTATIONS: usize = 60;
/// Inputs that pure chance adds.
const RANDOM: usize = 300;
const SLOW_RANDOM: usize = 3;
const SLOW: [&str; 3] = ["modem_core", "capi_calls", "net_session"];

fn fuzz_folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz")
        .join(name)
}

fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = fuzz_folder("corpus").join(target);
    let files = fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let paths = files.map(|file| file.unwrap().path());
    let mut inputs: Vec<_> = paths
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    inputs.sort();
    assert!(!inputs.is_empty(), "{}: an empty corpus", folder.display());
    inputs
}

fn mutate(input: &[u8], rng: &mut Pcg32) -> Vec<u8> {
    let mut data = input.to_vec();
    for _ in 0..=rng.next_u32() % 4 {
        let at = rng.next_u32() as usize % data.len().max(1);
        match rng.next_u32() % 4 {
            0 if !data.is_empty() => data[at] ^= 1 << (rng.next_u32() % 8),
            1 if !data.is_empty() => data[at] = rng.next_u32() as u8,
            2 if !data.is_empty() => data.truncate(at),
            _ => data.insert(at.min(data.len()), rng.next_u32() as u8),
        }
    }
    data
}

fn run(name: &str, oracle: fn(&[u8]), what: &str, data: &[u8]) {
    if panic::catch_unwind(|| oracle(data)).is_err() {
        let bytes: Vec<String> = data.iter().map(|byte| format!("0x{byte:02x}")).collect();
        panic!(
            "{name} fails on {what}. To replay it: fuzz_oracles::{name}(&[{}])",
            bytes.join(", ")
        );
    }
}

#[test]
fn every_target_is_here_and_in_the_fuzz_folder() {
    let files = fs::read_dir(fuzz_folder("fuzz_targets")).unwrap();
    let stem = |path: PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    let mut there: Vec<String> = files.map(|file| stem(file.unwrap().path())).collect();
    there.sort();
    let mut here: Vec<String> = fuzz_oracles::TARGETS
        .iter()
        .map(|(name, _)| (*name).to_string())
        .collect();
    here.push("canary".into());
    here.sort();
    assert_eq!(there, here);
}

#[test]
fn the_corpus_and_its_mutations() {
    for (name, oracle) in fuzz_oracles::TARGETS {
        let mut rng = Pcg32::seed_from_u64(1);
        let (mutations, random) = if SLOW.contains(&name) {
            (SLOW_MUTATIONS, SLOW_RANDOM)
        } else {
            (MUTATIONS, RANDOM)
        };
        let inputs = corpus(name);
        // The remainder goes to the last ones, so that no number of inputs makes this much longer: where there are more
        // inputs than mutations, to those with a name, which sort after the ones named by a hash of their bytes.
        let count = inputs.len();
        let (each, more) = (mutations / count, mutations % count);
        for (at, (path, input)) in inputs.into_iter().enumerate() {
            run(name, oracle, &path.display().to_string(), &input);
            for _ in 0..each + usize::from(at >= count - more) {
                run(
                    name,
                    oracle,
                    &format!("a mutation of {}", path.display()),
                    &mutate(&input, &mut rng),
                );
            }
        }
        for _ in 0..random {
            let mut data = vec![0; rng.next_u32() as usize % 300];
            rng.fill_bytes(&mut data);
            run(name, oracle, "random bytes", &data);
        }
    }
}

#[test]
fn the_canary_dies() {
    assert!(panic::catch_unwind(|| fuzz_oracles::canary(b"duel")).is_err());
    fuzz_oracles::canary(b"dull");
}

#[test]
fn the_modems_real_signals_deliver() {
    // Otherwise the law that only what was sent is received would hold for nothing.
    let real = corpus("modem_core").into_iter().filter(|(path, _)| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("real_")
    });
    let received: Vec<u64> = real
        .map(|(_, input)| fuzz_oracles::modem_packets(&input))
        .collect();
    assert!(
        received.len() >= 4 && received.iter().all(|packets| *packets > 0),
        "{received:?}"
    );
}
