//! One link, two players, one match: pairing, then lockstep.
