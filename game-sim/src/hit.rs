//! A shot on its way.

/// A shot that lands at the end of the tick, when all have been fired.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub(crate) by: u32,
    pub(crate) target: u32,
    pub(crate) damage: i32,
}
