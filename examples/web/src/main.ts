/** The page's start. */
export {};
