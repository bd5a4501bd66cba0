//! A simulated room: two modems, their speakers and microphones, and the air between.
