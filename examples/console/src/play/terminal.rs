//! The run loop of a person's phone: keys and mouse in, pictures out, time in between. As thin as it can be: what is
//! done and drawn is decided elsewhere.

use super::{
    app::Stage,
    draw,
    intent::intent,
    sound::Sound,
    table::{Clock, Table},
};
use crate::screen::Brush;
use ratatui::{
    DefaultTerminal,
    crossterm::{
        event::{self, DisableMouseCapture, EnableMouseCapture},
        execute,
    },
};
use std::{error::Error, io, time::Duration};

/// How long a look at the keys may take: the link wants to be looked at far more often than the eye does.
const LOOK: Duration = Duration::from_millis(15);
/// Pictures a second are one in this many looks.
const LOOKS_A_PICTURE: u32 = 2;

/// The terminal, taken over, with its mouse.
struct Taken(DefaultTerminal);

impl Taken {
    fn open() -> io::Result<Self> {
        let terminal = ratatui::try_init()?;
        execute!(io::stdout(), EnableMouseCapture)?;
        Ok(Self(terminal))
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), DisableMouseCapture);
        ratatui::restore();
    }
}

/// Plays until the player has had enough.
pub fn run<S: Sound>(table: &mut Table<S>, mut clock: Clock) -> Result<(), Box<dyn Error>> {
    let brush = Brush::of_environment();
    let mut taken = Taken::open()?;
    let mut looks = 0;
    while !matches!(table.app.stage, Stage::Closed) {
        table.tick(clock.now());
        let size = taken.0.size()?;
        table.app.resize((size.width, size.height));
        if looks % LOOKS_A_PICTURE == 0 {
            let view = table.app.view();
            taken.0.draw(|frame| draw::draw(frame, brush, &view))?;
        }
        looks += 1;
        let mut wait = LOOK;
        while event::poll(wait)? {
            let keys = table.app.view().keys();
            if let Some(intent) = intent(keys, &event::read()?) {
                table.app.handle(intent);
            }
            wait = Duration::ZERO;
        }
    }
    Ok(())
}
