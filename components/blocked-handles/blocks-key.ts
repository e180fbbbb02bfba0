/** Under which the browser keeps what it read of blocked handles. */
export const blocksKey = ["blocked-handles"];
