//! Rows about sound that is no modem: noise, music and speech of a kind.

use crate::measure::{Extent, FIRST_SEED, Line, in_parallel};
use link_modem::{Listen, ModemConfig, ModemCore};
use link_room::sounds::{SoundKind, Sounds};
use link_transport::{Plan, Role};

/// Four receivers, one for each band, listen to sound that is no modem.
pub fn false_packets(extent: Extent, kind: SoundKind) -> Line {
    const RATE_HZ: u32 = 48_000;
    const PIECE_S: u64 = 60;
    let pieces: Vec<(u64, u64)> = (0..extent.sound_s.div_ceil(PIECE_S))
        .map(|piece| {
            let seconds = PIECE_S.min(extent.sound_s - piece * PIECE_S);
            (FIRST_SEED + piece, seconds)
        })
        .collect();
    let heard = in_parallel(&pieces, extent.jobs, |&(seed, seconds)| {
        let mut sounds = Sounds::new(kind, RATE_HZ, seed);
        let mut listeners: Vec<ModemCore> = [Plan::High, Plan::Low]
            .into_iter()
            .flat_map(|plan| [Role::Host, Role::Guest].map(|role| (plan, role)))
            .map(|(plan, role)| {
                ModemCore::new(
                    ModemConfig::new(RATE_HZ, role.other())
                        .with_plan(plan)
                        .with_rx(Listen::Role(role))
                        .with_gain(0.0),
                )
                .expect("48 kHz carries both plans")
            })
            .collect();
        let (mut block, mut unused, mut heard) = ([0.0; 512], [0.0; 512], 0);
        for first in (0..seconds * u64::from(RATE_HZ)).step_by(block.len()) {
            sounds.fill(&mut block);
            for listener in &mut listeners {
                listener.process(&block, &mut unused, first);
                heard += std::iter::from_fn(|| listener.take_packet()).count();
            }
        }
        heard
    });
    let heard: usize = heard.into_iter().sum();
    Line {
        bar: "0".into(),
        figure: format!("{heard}"),
        numbers: vec![("heard", heard as f64)],
        directions: None,
        count: format!("{} s, 4 bands", extent.sound_s),
        snr_db: None,
        held: Some(heard == 0),
    }
}
