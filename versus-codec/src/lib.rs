//! Commands to bits and back: bit I/O, Exp-Golomb, the command kit.
