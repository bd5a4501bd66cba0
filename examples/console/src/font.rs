//! The font that pictures are lettered in: it comes with the program, so that nothing has to be installed.

use plotters::style::{Color, FontStyle, IntoFont, RGBColor, TextStyle, register_font};
use std::sync::Once;

/// What drawing code calls it.
pub const NAME: &str = "plot-sans";

/// Letters so many pixels high, in a colour of red, green and blue.
pub fn letters(px: i32, (r, g, b): (u8, u8, u8)) -> TextStyle<'static> {
    let mut style = TextStyle::from((NAME, px).into_font());
    style.color = RGBColor(r, g, b).to_backend_color();
    style
}

/// Makes it known to the drawing library; cheap after the first call.
pub fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let registered = register_font(
            NAME,
            FontStyle::Normal,
            include_bytes!("../font/plot-sans.ttf"),
        );
        assert!(
            registered.is_ok(),
            "the font that comes with the program is a font"
        );
    });
}
