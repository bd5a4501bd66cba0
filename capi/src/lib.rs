//! The stable C ABI.
