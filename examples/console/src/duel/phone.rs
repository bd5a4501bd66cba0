//! One phone: a session on its end of a link, and an AI that plays like a person would.

use crate::picture::Fights;
use game_sim::{Ai, AiLevel, Skirmish, SkirmishCodec, World};
use link_transport::{LinkTime, Plan, Role};
use match_feed::{Tick, duel::Side};
use std::{error::Error, time::Duration};
use versus_pairing::{Entry, PairingPhase};
use versus_session::{MatchEnd, ModePolicy, Session, SessionConfig, SessionPhase};

use super::{PhoneLink, plot::Reception, role_name, watch::View};

/// What kind of phone it is.
pub struct PhoneConfig {
    /// Host, with what it wants to play, or guest.
    pub entry: Entry,
    /// The band plan.
    pub plan: Plan,
    /// The opener it picks; `None`: the first allowed.
    pub opener: Option<u8>,
    /// Its AI's level.
    pub level: AiLevel,
    /// Decides its nonces and its AI.
    pub seed: u64,
    /// Whether it may change its mode during the match.
    pub modes: ModePolicy,
}

/// A phone.
pub struct Phone<L> {
    /// Its session.
    pub session: Session<L, SkirmishCodec, World, Skirmish>,
    /// What it has received.
    pub reception: Reception,
    /// What was fought in its world.
    pub fights: Fights,
    /// How long after switching on it knew what would be played.
    pub agreed_after: Option<Duration>,
    role: Role,
    opener: Option<u8>,
    level: AiLevel,
    seed: u64,
    ai: Option<Ai>,
    packets_seen: u64,
}

impl<L: PhoneLink> Phone<L> {
    /// Switches it on.
    pub fn new(link: L, config: PhoneConfig) -> Result<Self, Box<dyn Error>> {
        let session = SessionConfig::new(
            config.entry,
            game_sim::BUILD_ID,
            game_sim::NAME,
            config.seed,
        )
        .with_plan(config.plan)
        .with_modes(config.modes);
        Ok(Self {
            session: Session::new(link, session, Skirmish)?,
            reception: Reception::default(),
            fights: Fights::default(),
            agreed_after: None,
            role: config.entry.role(),
            opener: config.opener,
            level: config.level,
            seed: config.seed,
            ai: None,
            packets_seen: 0,
        })
    }

    /// `host` or `guest`.
    pub fn name(&self) -> &'static str {
        role_name(self.role)
    }

    /// Its role.
    pub const fn role(&self) -> Role {
        self.role
    }

    /// What its own clock shows when the link has run for `elapsed`.
    pub fn clock(&self, elapsed: Duration) -> LinkTime {
        self.session.transport().clock(elapsed)
    }

    /// Lets time come: packets, the lobby, ticks. `each` sees the world after it moved.
    pub fn run(&mut self, elapsed: Duration) -> Result<(), Box<dyn Error>> {
        let now = self.clock(elapsed);
        self.session.pump(now);
        while self.session.poll_event().is_some() {}
        self.note_reception(elapsed);
        let status = self.session.status(now);
        match status.phase {
            SessionPhase::Lobby => self.lobby(&status.pairing.phase)?,
            SessionPhase::Ready => self.begin(elapsed)?,
            SessionPhase::Playing => {
                let ai = self.ai.as_mut().expect("an AI came with the match");
                let fights = &mut self.fights;
                self.session.run(now, |_, world, give| {
                    fights.note(world);
                    ai.think(world).into_iter().for_each(give)
                });
                if let Some(world) = self.session.game() {
                    fights.note(world);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn lobby(&mut self, phase: &PairingPhase) -> Result<(), Box<dyn Error>> {
        if let PairingPhase::Picking { .. } = phase {
            let opener = match self.opener {
                Some(opener) => Some(opener),
                None => self.session.openers().next().flatten(),
            };
            let allowed: Vec<_> = self.session.openers().collect();
            self.session.pick(opener).map_err(|_| {
                let (own, allowed) = (opener_name(opener), allowed.into_iter().map(opener_name));
                let allowed: Vec<_> = allowed.collect();
                format!(
                    "the {} cannot open with {own} in this match: it can with {}",
                    self.name(),
                    allowed.join(", ")
                )
            })?;
        }
        Ok(())
    }

    fn begin(&mut self, elapsed: Duration) -> Result<(), Box<dyn Error>> {
        let agreed = *self
            .session
            .agreed()
            .expect("a session that is ready has agreed");
        let world = World::new(&agreed.setup)?;
        let codec = SkirmishCodec::new(world.map_size());
        self.ai = Some(Ai::new(agreed.local_side(), self.level, self.seed as u32));
        self.agreed_after = Some(elapsed);
        self.session
            .begin_match(self.clock(elapsed), world, codec)?;
        Ok(())
    }

    fn note_reception(&mut self, elapsed: Duration) {
        let stats = self.session.transport().stats();
        let seconds = elapsed.as_secs_f64();
        if stats.rx_ok > self.packets_seen {
            self.packets_seen = stats.rx_ok;
            if let Some(snr_db) = stats.snr_db.filter(|_| L::MEASURES_SNR) {
                self.reception.snr_db.push((seconds, snr_db));
            }
        }
        if self
            .reception
            .counts
            .last()
            .is_none_or(|last| seconds - last.0 >= 0.5)
        {
            self.reception
                .counts
                .push((seconds, stats.rx_ok, stats.rx_bad));
        }
    }

    /// What to draw of it.
    pub fn view(&self) -> View<'_> {
        View {
            name: self.name(),
            side: self
                .session
                .agreed()
                .map_or(Side::Blue, |agreed| agreed.local_side()),
            world: self.session.game(),
            fights: &self.fights,
        }
    }

    /// Packets heard so far.
    pub fn packets_heard(&self) -> u64 {
        self.packets_seen
    }

    /// How many ticks it has stepped.
    pub fn tick(&self) -> Tick {
        self.session.tick()
    }

    /// How its match ended, once that is settled: the end check included.
    pub fn settled(&self, elapsed: Duration) -> Option<MatchEnd> {
        let end = self.session.end(self.clock(elapsed))?;
        end.is_settled().then_some(end)
    }
}

/// An opener's index and name.
fn opener_name(opener: Option<u8>) -> String {
    let name = |index: u8| {
        game_sim::opener_names()
            .get(usize::from(index))
            .copied()
            .unwrap_or("no such opener")
    };
    opener.map_or("none".into(), |index| format!("{index} ({})", name(index)))
}
