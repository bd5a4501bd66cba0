//! Whether an open device is still the one that was meant. A sound server moves a stream whose device went away to
//! another one, and the stream goes on as if nothing had happened: recording a monitor, playing through headphones.

use super::{
    choose::{Direction, device, host, id_of, is_server},
    watch::Errors,
};
use std::{
    sync::{Arc, Weak},
    thread,
    time::Duration,
};

/// How often it is asked: a round trip to the server and back.
const ASK_EVERY: Duration = Duration::from_millis(500);

/// Watches a device by its id until nobody keeps its `errors` any more; `follows`: it was the system's own choice, and
/// should stay it. Where there is no server that moves streams, the device itself tells.
pub fn watch(direction: Direction, id: String, follows: bool, errors: &Arc<Errors>) {
    let errors = Arc::downgrade(errors);
    thread::spawn(move || look(direction, &id, follows, &errors));
}

fn look(direction: Direction, id: &str, follows: bool, errors: &Weak<Errors>) {
    let host = host();
    if !is_server(&host) {
        return;
    }
    loop {
        thread::sleep(ASK_EVERY);
        let Some(errors) = errors.upgrade() else {
            return;
        };
        if device(&host, direction, Some(id)).is_none() {
            errors.note_gone();
            return;
        }
        let chosen = || device(&host, direction, None).map(|device| id_of(&device));
        if follows && chosen().is_some_and(|chosen| chosen != id) {
            errors.note_changed();
            return;
        }
    }
}
