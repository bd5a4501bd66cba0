//! Turns payload bits into coded bits and back.
