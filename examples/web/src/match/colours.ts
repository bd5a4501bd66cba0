/** The match's colours. Sides keep theirs whoever is local and whatever the page's theme. */
export const SIDE = ['#4c9dff', '#ff5a48'] as const;
export const SIDE_DARK = ['#1c4f95', '#962519'] as const;
export const SIDE_MID = ['#2763b4', '#bb3a2a'] as const;
export const SIDE_LIGHT = ['#b9dbff', '#ffc5bd'] as const;
export const SIDE_NAMES = ['blue', 'red'] as const;
export const OUTLINE = '#0b0f14';
export const ORE = '#f0bd3a';
export const SELECT = '#ffffff';
export const GOOD = '#6ee787';
export const BAD = '#ff6b5e';
export const WARN = '#ffcf5c';
export const UNSEEN = '#0a0d12';
export const TERRAIN = ['#4f6546', '#6f6848', '#3d3f45', '#23506f'] as const;
