/** The radio probe's start. */
export {};
