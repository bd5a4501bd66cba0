//! The two queues between the halves, seen from one of them. Knows nothing of what the messages mean.

use rtrb::{Consumer, Producer, RingBuffer};

/// One half's end: what it sends and what it receives, both through fixed single-producer queues.
///
/// Joined halves hold one end of each queue. A half that stands alone holds both ends, and its host carries the
/// messages: out with [`Port::carry_out`], in with [`Port::carry_in`].
pub(super) struct Port<Out, In> {
    out: Producer<Out>,
    inward: Consumer<In>,
    carried: Option<(Consumer<Out>, Producer<In>)>,
}

impl<Out, In> Port<Out, In> {
    /// Two ends joined. Allocates both queues.
    pub(super) fn pair(outward: usize, inward: usize) -> (Self, Port<In, Out>) {
        let (to_far, at_far) = RingBuffer::new(outward);
        let (to_near, at_near) = RingBuffer::new(inward);
        let near = Self {
            out: to_far,
            inward: at_near,
            carried: None,
        };
        let far = Port {
            out: to_near,
            inward: at_far,
            carried: None,
        };
        (near, far)
    }

    /// An end whose messages a host carries. Allocates both queues.
    pub(super) fn alone(outward: usize, inward: usize) -> Self {
        let (mut near, far) = Self::pair(outward, inward);
        near.carried = Some((far.inward, far.out));
        near
    }

    /// Hands `message` over; false if the queue is full, and then nothing is sent.
    #[must_use]
    pub(super) fn send(&mut self, message: Out) -> bool {
        self.out.push(message).is_ok()
    }

    /// How many messages can be sent before the queue is full.
    pub(super) fn room(&self) -> usize {
        self.out.slots()
    }

    pub(super) fn receive(&mut self) -> Option<In> {
        self.inward.pop().ok()
    }

    /// True if the other half has been dropped. What it sent before can still be received.
    pub(super) fn is_abandoned(&self) -> bool {
        self.inward.is_abandoned()
    }

    /// The next message to carry to the other half.
    pub(super) fn carry_out(&mut self) -> Option<Out> {
        self.carried.as_mut()?.0.pop().ok()
    }

    /// A message of the other half's; false if the queue is full or the halves are joined.
    #[must_use]
    pub(super) fn carry_in(&mut self, message: In) -> bool {
        self.carried
            .as_mut()
            .is_some_and(|(_, to_near)| to_near.push(message).is_ok())
    }
}
