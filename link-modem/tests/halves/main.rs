//! The two halves of a live modem, joined and at work.

mod clock;
mod desk;
mod messages;
mod queues;
