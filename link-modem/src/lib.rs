//! An acoustic OFDM modem: samples in and out, frames in, packets out.
