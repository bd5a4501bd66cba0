//! Our end of a match in the model: a session, its states in a ring, and the game.

use super::{
    model::{Case, Frame, Peer, RATE},
    post::SharedMailbox,
    toy::Toy,
};
use match_feed::{Seat, SeatSet, TickRate};
use net_session::{Place, Request, Secret, Session, SessionConfig, StateRing, StepInputs};
use net_transport::NetTime;

/// A session's end.
pub struct Ours {
    session: Session,
    mailbox: SharedMailbox,
    seat: Seat,
    game: Toy,
    states: StateRing,
    going: bool,
    /// What was stepped since the host's last frame.
    since: Frame,
}

/// One end. The seats are the ends.
pub fn make(case: &Case, end: usize, mailbox: SharedMailbox) -> Box<dyn Peer> {
    let seat = Seat::new(end as u8).expect("one of two");
    let slower = if case.slew { 100_000 } else { 0 };
    let mut config = SessionConfig::new(
        2,
        Place::Player(SeatSet::only(seat)),
        Secret::new([7; 16]),
        1 + end as u64,
        [end as u8; 16],
    )
    .rate(TickRate::new(RATE as u8).expect("a rate"))
    .input_delay(case.delay)
    .prediction(case.prediction)
    .slew(slower, slower);
    if case.delay_max > case.delay {
        config = config.adaptive_delay(case.delay, case.delay_max);
    }
    Box::new(Ours {
        session: Session::new(config).expect("a legal configuration"),
        mailbox,
        seat,
        game: Toy::default(),
        states: StateRing::new(usize::from(case.prediction) + 2, Toy::BYTES).expect("a small ring"),
        going: false,
        since: Frame::default(),
    })
}

impl Ours {
    fn answer(&mut self) {
        while let Some(request) = self.session.poll_request() {
            match request {
                Request::Save { frame } => {
                    self.states
                        .save(frame, |slot| self.game.save(slot))
                        .expect("a slot of its size");
                }
                Request::Load { frame } => {
                    self.since.loads += 1;
                    assert!(
                        self.game
                            .load(self.states.get(frame).expect("a state that was saved"))
                    );
                }
                Request::Step { inputs, flags, .. } => {
                    self.game.step(pads(inputs));
                    if flags.resimulated {
                        self.since.again += 1;
                    } else {
                        self.since.advanced += 1;
                    }
                }
                Request::Hash { frame } => {
                    let hash = self.game.hash();
                    self.session.put_hash(frame, hash, &[]);
                }
                _ => {}
            }
        }
        while let Some(event) = self.session.poll_event() {
            self.going |= matches!(event, net_session::Event::Going);
        }
        assert_eq!(self.session.outcome(), None, "nobody leaves");
    }
}

fn pads(inputs: &StepInputs) -> impl Iterator<Item = u16> {
    inputs
        .iter()
        .map(|(_, input)| input.try_into().map_or(0, u16::from_le_bytes))
}

impl Peer for Ours {
    fn frame(&mut self, now: NetTime, pad: u16) -> Frame {
        self.session
            .set_input(self.seat, &pad.to_le_bytes())
            .expect("an input of two bytes");
        self.session.advance(now, &mut *self.mailbox.borrow_mut());
        self.answer();
        Frame {
            running: self.going,
            ..std::mem::take(&mut self.since)
        }
    }

    fn wants_to_send(&self) -> Option<NetTime> {
        Some(self.session.next_wake())
    }

    fn send_only(&mut self, now: NetTime) {
        self.session.advance(now, &mut *self.mailbox.borrow_mut());
        self.answer();
    }
}
