//! Messages as bytes: round trip, layout, hostile ones.

use crate::desk::{BLOCK, config, frame};
use link_modem::half::{
    Command, Frames, MESSAGE_BYTES_MAX, MESSAGE_VERSION, MessageError, ModemFault, Report,
};
use link_modem::{Listen, ModemLink, ModemPump, Reconfigure};
use link_transport::{
    FrameBits, LinkEvent, LinkTime, LinkTransport, Mode, OutFrame, Plan, Role, SessionKey,
};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn commands() -> Vec<Command> {
    let long = OutFrame {
        bits: FrameBits::from_bytes(&[0xFF; 32], 256),
        key: u32::MAX,
        keyed: true,
    };
    let all = Frames::from_iter([frame(0), frame(1), long, long, long, long, long, long]);
    vec![
        Command::Payloads(Frames::new()),
        Command::Payloads(all),
        Command::Mode(Mode::Fast),
        Command::Session(SessionKey {
            host_nonce: 0x1234,
            guest_nonce: 0xFEDC,
        }),
        Command::Configure {
            change: Reconfigure::default(),
            serial: 0,
        },
        Command::Configure {
            change: Reconfigure::default()
                .with_plan(Plan::Low)
                .with_tx(Role::Guest)
                .with_rx(Listen::Detect)
                .with_gain(0.5),
            serial: 0x0102_0304,
        },
        Command::Skip { frames: u64::MAX },
        Command::Close,
    ]
}

/// What a pump really says in three seconds, and one of each fault.
fn reports() -> Vec<Report> {
    let mut pump = ModemPump::alone(config(Role::Host).with_rx(Listen::Role(Role::Host))).unwrap();
    let (mut reports, mut output, mut bytes) = (Vec::new(), [0.0; BLOCK], [0; MESSAGE_BYTES_MAX]);
    for block in 0..1_125 {
        let input = output;
        pump.process(&[&input], &mut output, block * 128);
        while let Some(length) = pump.poll_message(&mut bytes) {
            reports.push(Report::decode(&bytes[..length]).unwrap());
        }
    }
    let packets = reports
        .iter()
        .filter(|report| matches!(report, Report::Packet(_)));
    assert!(packets.count() > 5, "a self-test hears itself");
    let rates = [
        (44_101, Plan::High),
        (8_000, Plan::Low),
        (1_000_000, Plan::High),
    ];
    let problems = rates.map(|(sample_rate_hz, plan)| {
        let odd = config(Role::Host)
            .with_sample_rate_hz(sample_rate_hz)
            .with_plan(plan);
        ModemFault::Rate(odd.rate_problem().unwrap())
    });
    let faults = [ModemFault::Gone, ModemFault::Failed, ModemFault::Unreadable];
    reports.extend(
        faults
            .into_iter()
            .chain(problems)
            .map(|fault| Report::Fault { fault, fatal: true }),
    );
    reports
}

#[test]
fn every_message_reads_back_as_it_was() {
    let mut bytes = [0; MESSAGE_BYTES_MAX];
    for command in commands() {
        let length = command.encode(&mut bytes);
        assert_eq!(Command::decode(&bytes[..length]), Ok(command));
    }
    for report in reports() {
        let length = report.encode(&mut bytes);
        assert_eq!(Report::decode(&bytes[..length]), Ok(report));
    }
}

#[test]
fn the_layout_stands() {
    let mut bytes = [0; MESSAGE_BYTES_MAX];
    let skip = Command::Skip { frames: 0x0102 };
    let length = skip.encode(&mut bytes);
    assert_eq!(
        bytes[..length],
        [MESSAGE_VERSION, 5, 2, 1, 0, 0, 0, 0, 0, 0]
    );
    let length = Command::Payloads(Frames::from_iter([frame(9)])).encode(&mut bytes);
    assert_eq!(length, MESSAGE_BYTES_MAX, "the longest");
    assert_eq!(
        bytes[..12],
        [MESSAGE_VERSION, 1, 1, 1, 0, 0, 0, 0, 16, 0, 9, 0xA5]
    );
    let length = Report::Clock { frame: 7 }.encode(&mut bytes);
    assert_eq!(
        bytes[..length],
        [MESSAGE_VERSION, 0x86, 7, 0, 0, 0, 0, 0, 0, 0]
    );
}

#[test]
fn hostile_messages_are_refused_with_a_reason_or_survived() {
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    let mut originals = Vec::new();
    let mut bytes = [0; MESSAGE_BYTES_MAX];
    for command in commands() {
        let length = command.encode(&mut bytes);
        originals.push(bytes[..length].to_vec());
    }
    for report in reports().into_iter().rev().take(40) {
        let length = report.encode(&mut bytes);
        originals.push(bytes[..length].to_vec());
    }
    assert_eq!(Command::decode(&[]), Err(MessageError::Version { got: 0 }));
    assert_eq!(
        Command::decode(&[MESSAGE_VERSION]),
        Err(MessageError::Kind { kind: 0 })
    );
    assert_eq!(
        Command::decode(&[MESSAGE_VERSION, 7]),
        Err(MessageError::Kind { kind: 7 })
    );
    // Keys that do not ascend would break the rotation.
    let mut unsorted = originals[1].clone();
    unsorted[3] = 2;
    assert_eq!(
        Command::decode(&unsorted),
        Err(MessageError::Body {
            kind: 1,
            len: unsorted.len()
        })
    );
    for original in &originals {
        let mut longer = original.clone();
        longer.push(0);
        assert!(Command::decode(&longer).is_err() && Report::decode(&longer).is_err());
        for cut in 0..original.len() {
            assert!(Command::decode(&original[..cut]).is_err());
            assert!(Report::decode(&original[..cut]).is_err());
        }
    }
    let mut link = ModemLink::alone(config(Role::Guest)).unwrap();
    let mut pump = ModemPump::alone(config(Role::Guest)).unwrap();
    let (mut output, mut taken) = ([0.0; BLOCK], 0);
    for round in 0..40_000_u64 {
        let mut message = originals[rng.next_u32() as usize % originals.len()].clone();
        for _ in 0..rng.next_u32() % 4 {
            let at = rng.next_u32() as usize % message.len();
            message[at] = rng.next_u32() as u8;
        }
        // A closed link would take no more.
        if message.get(1) == Some(&6) && message.len() == 2 {
            continue;
        }
        taken += usize::from(pump.push_message(&message).is_ok());
        taken += usize::from(link.push_message(&message).is_ok());
        if round % 8 == 0 {
            let frame = u64::from(rng.next_u32()) * round;
            pump.process(&[&[0.1; BLOCK]], &mut output, frame);
            assert!(output.iter().all(|sample| sample.abs() <= 1.0));
            while pump.poll_message(&mut bytes).is_some() {}
            let now = LinkTime::from_us(round * u64::from(rng.next_u32() % 50_000));
            while let Some(event) = link.poll(now) {
                if let LinkEvent::Packet(packet) = event {
                    assert!(packet.at <= link.now() && packet.bits.len() == link.capacity_bits());
                }
            }
            while link.take_gap().is_some() || link.take_refusal().is_some() {}
            while link.poll_message(&mut bytes).is_some() {}
        }
    }
    assert!(taken > 1_000, "{taken} of them were messages");
}
