//! Two strangers to one agreed match: the lobby protocol.
