//! fortress-rollback 0.13, as its documentation says to use it, on the clock that it lets one give.

use crate::{
    clock,
    model::{Case, Frame, Peer, RATE},
    post::SharedMailbox,
    toy::Toy,
};
use fortress_rollback::{
    DesyncDetection, FortressEvent, FortressRequest, Message, NonBlockingSocket, P2PSession,
    PlayerHandle, PlayerType, ProtocolConfig, SessionBuilder, SessionState, network::codec,
};
use net_transport::{Lane, NetEvent, NetTime, NetTransport, PeerId};

use std::{sync::Arc, time::Duration};

struct Types;
impl fortress_rollback::Config for Types {
    type Input = u16;
    type State = Toy;
    type Address = usize;
}

struct Socket(SharedMailbox);

impl NonBlockingSocket<usize> for Socket {
    fn send_to(&mut self, message: &Message, to: &usize) {
        let bytes = codec::encode(message).expect("a message serialises");
        let _ = self
            .0
            .borrow_mut()
            .send(NetTime::ZERO, PeerId(*to as u32), Lane::Fast, &bytes);
    }

    fn receive_all_messages(&mut self) -> Vec<(usize, Message)> {
        let (mut came, mut mailbox) = (Vec::new(), self.0.borrow_mut());
        while let Some(event) = mailbox.poll(NetTime::ZERO) {
            if let NetEvent::Message { peer, bytes, .. } = event
                && let Some(message) = codec::decode_message(bytes).ok().map(|read| read.0)
            {
                came.push((peer.0 as usize, message));
            }
        }
        came
    }
}

struct End {
    session: P2PSession<Types>,
    me: usize,
    game: Toy,
    frame: i32,
    newest: i32,
    skip: u32,
}

/// One end. The players are the ends.
pub fn make(case: &Case, me: usize, mailbox: SharedMailbox) -> Box<dyn Peer> {
    let start = std::time::Instant::now();
    let protocol = ProtocolConfig {
        clock: Some(Arc::new(move || start + Duration::from_micros(clock::us()))),
        ..ProtocolConfig::default()
    };
    let mut builder = SessionBuilder::<Types>::new()
        .with_num_players(2)
        .expect("two players")
        .with_fps(RATE as usize)
        .expect("a rate")
        .with_max_prediction_window(case.prediction.into())
        .with_input_delay(case.delay.into())
        .expect("a delay")
        .with_protocol_config(protocol.clone())
        .with_desync_detection_mode(DesyncDetection::On { interval: 60 });
    for player in 0..2 {
        let kind = if player == me {
            PlayerType::Local
        } else {
            PlayerType::Remote(player)
        };
        builder = builder
            .add_player(kind, PlayerHandle::new(player))
            .expect("a player");
    }
    let socket = Socket(mailbox);
    let session = builder.start_p2p_session(socket).expect("a session");
    Box::new(End {
        session,
        me,
        game: Toy::default(),
        frame: 0,
        newest: 0,
        skip: 0,
    })
}

impl Peer for End {
    fn frame(&mut self, _: NetTime, pad: u16) -> Frame {
        let mut done = Frame::default();
        self.session.poll_remote_clients();
        for event in self.session.events() {
            match event {
                FortressEvent::WaitRecommendation { skip_frames } => self.skip = skip_frames,
                FortressEvent::DesyncDetected { .. } => panic!("fortress: the games differ"),
                _ => {}
            }
        }
        done.running = self.session.current_state() == SessionState::Running;
        if !done.running {
            return done;
        }
        if self.skip > 0 {
            self.skip -= 1;
            done.skipped = true;
            return done;
        }
        self.session
            .add_local_input(PlayerHandle::new(self.me), pad)
            .expect("a local player");
        // An error says that the peer's inputs are too far behind.
        for request in self.session.advance_frame().unwrap_or_default() {
            match request {
                FortressRequest::SaveGameState { cell, frame } => {
                    cell.save(
                        frame,
                        Some(self.game.clone()),
                        Some(u128::from(self.game.hash())),
                    );
                }
                FortressRequest::LoadGameState { cell, frame } => {
                    self.game = cell.load().expect("a state was saved");
                    done.loads += 1;
                    self.frame = frame.as_i32();
                }
                FortressRequest::AdvanceFrame { inputs } => {
                    self.game.step(inputs.iter().map(|input| input.0));
                    self.frame += 1;
                    if self.frame > self.newest {
                        self.newest = self.frame;
                        done.advanced += 1;
                    } else {
                        done.again += 1;
                    }
                }
            }
        }
        done
    }
}
