//! What only a host does while it pairs: offers a config, changes it while it may, and freezes it. Knows no bits.

use crate::{
    Entry, LobbyConfig, LobbyFrame, Pairing, StartMode,
    agreed::Terms,
    offer::input_delay,
    state::{Picking, State},
};
use link_transport::Mode;
use match_feed::duel::{Catalogue, InputDelay};

impl<K: Catalogue> Pairing<K> {
    /// From now on offers this input delay, whatever the round trip would call for, and whether or not it can be measured:
    /// for practice links and tests.
    ///
    /// It survives [`Self::reset`]. A config that is frozen already keeps its delay, and a guest never offers one.
    pub const fn force_delay(&mut self, delay: InputDelay) {
        self.forced_delay = Some(delay);
    }

    /// The host's offer, as soon as the round trip and the windows allow one.
    pub(crate) fn offer(&mut self) {
        let (Entry::Host(choice), State::Meeting(meeting), Some(peer)) =
            (&self.entry, &mut self.state, self.peers.current())
        else {
            return;
        };
        let mode = match choice.start_mode {
            StartMode::Measured => meeting.windows.verdict(),
            StartMode::Fixed(mode) => Some(mode),
        };
        let round_trip = self.pings.round_trip().filter(|_| self.pings.is_measured());
        let Some(mode) = mode else { return };
        let measured = round_trip.map(|span| input_delay(span, self.plan, mode));
        let Some(delay) = self.forced_delay.or(measured) else {
            return;
        };
        let config = LobbyConfig {
            map: choice.map,
            mutators: choice.mutators,
            delay,
            host_side: choice.host_side,
            fast: mode == Mode::Fast,
        };
        let own = (self.head.role, self.nonce);
        meeting.offer(self.now, Terms::new(config, self.plan, own, peer.nonce));
    }

    /// A frame of the guest's that hears this phone.
    pub(crate) fn follow_guest(&mut self, frame: &LobbyFrame) {
        let State::Meeting(meeting) = &mut self.state else {
            return;
        };
        meeting.windows.heard(frame.rxq);
        // From the first frame that says the same on, the config is frozen: this phone leaves `Meeting` for good.
        if let Some(terms) = meeting.terms.filter(|t| t.hash == frame.conf_hash) {
            let picking = Picking::new(terms, self.now, &self.catalogue, self.head.role);
            self.state = State::Picking(picking);
        }
    }
}
