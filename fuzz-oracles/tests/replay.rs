//! Every target's committed corpus and a stretch of seeded mutations of it, through its oracle.

#[path = "../../xtask/src/archive.rs"]
mod archive;

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

/// What the archive of a target holds, and its regressions, which are files: by path, sorted.
fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let path = fuzz_folder("corpus").join(target).with_extension("tar");
    let bytes = fs::read(&path).unwrap_or_else(|why| {
        panic!(
            "{}: {why}. `cargo xtask corpus pack` makes it",
            path.display()
        )
    });
    let inputs = archive::unpack(&bytes).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let inputs = inputs
        .into_iter()
        .map(|(name, bytes)| (path.join(name), bytes));
    let regressions = fs::read_dir(fuzz_folder("regressions").join(target)).into_iter();
    let regressions = regressions.flatten().map(|file| {
        let path = file.unwrap().path();
        (path.clone(), fs::read(path).unwrap())
    });
    let mut inputs: Vec<_> = inputs.chain(regressions).collect();
    inputs.sort();
    assert!(!inputs.is_empty(), "{}: an empty corpus", path.display());
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
fn every_archive_is_a_targets_and_the_same_bytes_when_packed_again() {
    let mut there = Vec::new();
    for file in fs::read_dir(fuzz_folder("corpus")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "tar") {
            let bytes = fs::read(&path).unwrap();
            let inputs = archive::unpack(&bytes).unwrap();
            assert!(
                archive::pack(inputs).unwrap() == bytes,
                "{}",
                path.display()
            );
            there.push(path.file_stem().unwrap().to_string_lossy().into_owned());
        }
    }
    there.sort();
    let mut here: Vec<&str> = fuzz_oracles::TARGETS
        .iter()
        .map(|(name, _)| *name)
        .collect();
    here.push("canary");
    here.sort_unstable();
    assert_eq!(there, here);
}

#[test]
fn what_lies_unpacked_is_in_the_archive_too() {
    for (name, _) in fuzz_oracles::TARGETS {
        let Ok(files) = fs::read_dir(fuzz_folder("corpus").join(name)) else {
            continue; // not unpacked
        };
        let packed: Vec<Vec<u8>> = corpus(name).into_iter().map(|(_, bytes)| bytes).collect();
        for file in files {
            let path = file.unwrap().path();
            assert!(
                packed.contains(&fs::read(&path).unwrap()),
                "{} is not in the archive, so no test runs it: `cargo xtask corpus pack {name}`, or remove it",
                path.display()
            );
        }
    }
}

#[test]
fn an_archive_that_is_damaged_or_cut_short_is_refused() {
    let inputs = vec![("a".to_owned(), vec![7; 600]), ("b".to_owned(), vec![])];
    let whole = archive::pack(inputs.clone()).unwrap();
    assert_eq!(archive::unpack(&whole).unwrap(), inputs);
    assert_eq!(
        whole.len(),
        6 * 512,
        "a header, two blocks, a header, the end"
    );
    for cut in [0, 1, 511, 512, 1535, 2047] {
        assert!(archive::unpack(&whole[..cut]).is_err(), "cut at {cut}");
    }
    for at in 0..512 {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x11;
        assert!(archive::unpack(&damaged).is_err(), "byte {at}");
    }
    for name in ["", "a/b", "a".repeat(101).as_str()] {
        assert!(
            archive::pack(vec![(name.to_owned(), vec![])]).is_err(),
            "{name}"
        );
    }
    assert!(archive::pack(vec![inputs[0].clone(), inputs[0].clone()]).is_err());
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
