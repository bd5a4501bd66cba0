//! Whole duels through two phones' apps in one room, by virtual time.
