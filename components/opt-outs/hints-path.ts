/** The private API of near misses. */
export const HINTS_PATH = "/api/opt-outs/hints";
