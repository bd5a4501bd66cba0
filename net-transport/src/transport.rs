//! The seam: what a session asks of whatever carries its bytes. Knows neither sockets nor what the bytes mean.

use crate::NetTime;

/// The longest message of the fast lane, in bytes: what passes every carrier whole (Chromium's WebTransport takes
/// 1,211).
pub const FAST_BYTES_MAX: usize = 1_200;
/// The longest message of the reliable lane, in bytes.
pub const RELIABLE_BYTES_MAX: usize = 64 * 1024;

/// A peer, as this transport numbers its peers. Two ends may number one peer differently; a number is never given to
/// a second peer of the same transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerId(pub u32);

/// How a message travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    /// Arrives once, whole and in the order sent, while the peer is up.
    Reliable,
    /// Sent once, now or never: may be lost, repeated, reordered or (over [`Carrier::Datagram`]) damaged.
    Fast,
}

impl Lane {
    /// The longest message of this lane, in bytes.
    #[must_use]
    pub const fn bytes_max(self) -> usize {
        match self {
            Self::Reliable => RELIABLE_BYTES_MAX,
            Self::Fast => FAST_BYTES_MAX,
        }
    }
}

/// What lies under the fast lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Carrier {
    /// Datagrams (UDP, an unordered data channel without retransmissions): what is lost is lost, and delays nothing
    /// that was sent after it.
    Datagram,
    /// One ordered stream of bytes (WebSocket, `BroadcastChannel`): nothing is lost but by the transport's own choice,
    /// and what waits delays all that comes after it. Such a transport must refuse or drop what is stale.
    Stream,
}

/// Why a peer went down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DownReason {
    /// The peer closed the connection.
    Closed,
    /// The carrier says that the connection broke. Silence alone is no loss: whoever uses a transport judges that.
    Lost,
    /// The peer, or what stands before it, would not take the connection.
    Refused,
    /// [`NetTransport::disconnect`] on this end.
    Local,
    /// The peer sent what no transport of its kind would send.
    Garbage,
    /// Another connection of the same peer took this one's place: it started anew.
    Replaced,
}

/// What [`NetTransport::poll`] hands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetEvent<'a> {
    /// `peer` can be sent to from now on.
    PeerUp {
        /// Who.
        peer: PeerId,
    },
    /// `peer` is gone for good. Said once for each [`NetEvent::PeerUp`], or once instead of it.
    PeerDown {
        /// Who.
        peer: PeerId,
        /// Why.
        reason: DownReason,
    },
    /// `peer` sent `bytes` on `lane`.
    Message {
        /// Who sent it.
        peer: PeerId,
        /// On which lane.
        lane: Lane,
        /// What was sent; valid until the next call of the transport. At most [`Lane::bytes_max`] long, and 0 bytes
        /// is a legal message. On the fast lane of [`Carrier::Datagram`] they may be damaged.
        bytes: &'a [u8],
    },
}

/// What became of a message given to [`NetTransport::send`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub enum SendResult {
    /// The lane took it. On the reliable lane it arrives if the peer stays up; on the fast lane it is on its way.
    Sent,
    /// The lane has no room now, and nothing of the message was kept. On the fast lane: make a newer one instead; on
    /// the reliable lane: try again after [`NetTransport::next_wake`].
    Full,
    /// The peer is not up, and nothing was kept.
    Gone,
    /// The message is longer than [`Lane::bytes_max`], and nothing was kept.
    TooLong,
}

/// Bytes to and from N peers on two lanes. What implements it keeps the numbered contract of [`crate::contract`].
///
/// Sans-IO for whoever uses it: time is an argument, nothing blocks, and draining is part of the contract. Call
/// [`poll`](NetTransport::poll) until it says `None`, then send, and come back at
/// [`next_wake`](NetTransport::next_wake) or when the host knows that bytes have come.
pub trait NetTransport {
    /// What lies under the fast lane. Constant.
    fn carrier(&self) -> Carrier;

    /// The next event until `now`; `None` when there is none. `now` must not go back. Allocates nothing in the steady
    /// state.
    fn poll(&mut self, now: NetTime) -> Option<NetEvent<'_>>;

    /// Sends one message. Bounded work; never blocks; keeps nothing unless it says [`SendResult::Sent`].
    fn send(&mut self, now: NetTime, peer: PeerId, lane: Lane, bytes: &[u8]) -> SendResult;

    /// Ends the connection with `peer`: it hears [`DownReason::Closed`] if the carrier lets it, and
    /// [`poll`](NetTransport::poll) says [`DownReason::Local`] here. Reliable messages in flight may be lost. No effect
    /// on a peer that is not up.
    fn disconnect(&mut self, now: NetTime, peer: PeerId);

    /// When [`poll`](NetTransport::poll) must be called again at the latest, though no bytes came; `None`: not before
    /// bytes come. May lie in the past: then now. The value may change after any other call.
    fn next_wake(&self) -> Option<NetTime>;

    /// Whether `peer` can be sent to: between its [`NetEvent::PeerUp`] and its [`NetEvent::PeerDown`].
    fn is_up(&self, peer: PeerId) -> bool;
}
