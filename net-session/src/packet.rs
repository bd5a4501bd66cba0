//! The packet of every frame: which windows it holds, what it acknowledges, and what rides along.

use crate::{
    link::Guest,
    receive::bits,
    session::Session,
    wire::{Acks, Echo, Inputs, InputsWriter, NO_FRAME, Role, SEATS_MAX, TAG_BYTES, WINDOW_MAX},
};
use net_transport::{FAST_BYTES_MAX, NetTime};

const PROBE_EVERY_US: u64 = 100_000;

impl Session {
    /// Which frames of a seat `member` is sent: those from its acknowledgement on to before the second.
    fn window(&self, member: u8, seat: usize) -> Option<(u32, u32)> {
        let link = &self.links[usize::from(member)];
        let line = &self.lines[seat];
        let acked = link.acked[seat];
        // The window is coded against the input before it, which must be there.
        let coded = acked == 0 || line.input(acked.wrapping_sub(1)).is_some();
        if acked == NO_FRAME || !coded {
            return None;
        }
        if matches!(link.guest, Guest::Fed | Guest::Ready) {
            let lag = if link.role == Role::Spectator {
                self.config.spectator_delay
            } else {
                0
            };
            let end = self.logged.saturating_sub(lag);
            return Some((acked, end.max(acked)));
        }
        let live = usize::from(member) < SEATS_MAX && self.members.live & 1 << member != 0;
        if !live || !self.is_alive() {
            return None;
        }
        let passes = self.members.pass[seat] & 1 << member != 0;
        let ours = line.seat.owner == self.me;
        if ours && (passes || acked >= line.seat.from) {
            return Some((acked, line.ring.next().max(acked)));
        }
        (passes && acked < line.seat.end)
            .then(|| (acked, line.ring.next().min(line.seat.end).max(acked)))
    }

    /// Which seats of `member` this end acknowledges.
    fn acknowledges(&self, member: u8) -> u8 {
        let mut mask = 0;
        for (seat, line) in self.lines.iter().enumerate() {
            let theirs = if self.is_alive() {
                line.seat.owner == member
                    || (line.source == member && self.links[usize::from(member)].gone.is_none())
            } else {
                self.members.feeder == member
                    || self.links[usize::from(member)].own & 1 << seat != 0
            };
            mask |= u8::from(theirs) << seat;
        }
        mask
    }

    /// Writes the packet to `member` without its tag; its length, or `None` if nothing can be sent.
    pub(crate) fn write_inputs(
        &mut self,
        now: NetTime,
        member: u8,
        buffer: &mut [u8],
    ) -> Option<usize> {
        let at = usize::from(member);
        let mut windows = [(0, 0); SEATS_MAX];
        let mut streams = 0u8;
        for (seat, place) in windows.iter_mut().enumerate().take(self.lines.len()) {
            if let Some(window) = self.window(member, seat) {
                *place = window;
                streams |= 1 << seat;
            }
        }
        let acks = self.acknowledges(member);
        let home = |member: u8| 1u8.checked_shl(u32::from(member)).unwrap_or(0);
        let narrow = acks == home(member) && streams == home(self.me) && acks != 0 && streams != 0;
        let base = match bits(streams).next() {
            Some(first) => windows[first].0,
            None => bits(acks)
                .next()
                .map_or(0, |seat| self.lines[seat].ring.next()),
        };
        let id = self.links[at].next_id;
        let next = bits(acks).map(|seat| self.lines[seat].ring.next());
        let mut head = Inputs::head(id, base, Acks::new(next));
        head.wide = (!narrow).then_some((acks, streams));
        self.add_extras(now, member, &mut head);
        let link = &self.links[at];
        let room = FAST_BYTES_MAX - TAG_BYTES;
        let buffer = buffer.get_mut(..room)?;
        // The cursor is needed where the last packet did not hold a window to its end.
        let cursors = bits(streams).any(|seat| link.cursor[seat] > windows[seat].0);
        let mut writer = InputsWriter::new(buffer, &head, cursors);
        let mut cursor_after = link.cursor;
        let mut left = streams.count_ones() as usize;
        for seat in bits(streams) {
            left -= 1;
            let (acked, end) = windows[seat];
            let line = &self.lines[seat];
            let start = if cursors && link.cursor[seat] > acked && link.cursor[seat] < end {
                link.cursor[seat]
            } else {
                acked
            };
            let previous = acked.checked_sub(1).and_then(|before| line.input(before));
            let Some(previous) = previous.or((acked == 0).then_some(&[][..])) else {
                // Nobody honest lags so far behind: its window is over.
                return None;
            };
            let frames = start..end.min(start.saturating_add(WINDOW_MAX));
            let tail = writer.stream(acked, previous, frames, cursors, left * 16, |frame| {
                line.input(frame).unwrap_or(&[])
            });
            let reached = start + tail.count;
            cursor_after[seat] = if reached < end { reached } else { 0 };
        }
        let len = writer.finish()?;
        let link = &mut self.links[at];
        link.cursor = cursor_after;
        link.next_id = id.wrapping_add(1);
        Some(len)
    }

    /// Answers a probe, probes, and tells a hash where due.
    fn add_extras(&mut self, now: NetTime, member: u8, head: &mut Inputs<'_>) {
        let at = usize::from(member);
        let newest = self.hashes.newest().filter(|it| it.frame <= self.logged);
        let told = self.links[at].told;
        let tells = newest.filter(|it| it.frame > told && self.is_alive());
        let goal = self.goal;
        let (wish, away) = (self.wish, self.away);
        let link = &mut self.links[at];
        if let Some((id, came)) = link.echo_due.take() {
            head.echo = Some(Echo {
                id,
                hold_ms: (now.since(came) / 1_000).min(255) as u8,
                lead: goal.wrapping_sub(head.base) as i32,
                ahead: (link.ahead_permille / 125).clamp(-128, 127) as i8,
                loss: link.losses.percent(),
                bursts: link.losses.bursts(now),
                wish,
                away,
            });
        }
        // The last hash is all that a member still waits for.
        head.hash = tells.filter(|_| self.end_known.is_some());
        // A quarter of the ids, strewn, carries none: a link that loses every seventh packet must not lose every probe.
        if now >= link.probe_at && head.id.wrapping_mul(37) >> 6 != 0 {
            link.probe_at = now.plus(PROBE_EVERY_US);
            head.probe = true;
            link.trips.probed(head.id, now);
            if let Some(report) = tells {
                head.hash = Some(report);
                link.telling_at = (link.telling_at + 1) % link.telling.len();
                link.telling[link.telling_at] = Some((head.id, report.frame));
            }
        }
    }
}
