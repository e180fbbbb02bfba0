/** The time in which the messages of a pair of line and recipient are counted together. */
export const PAIR_WINDOW_SECONDS = 60;
