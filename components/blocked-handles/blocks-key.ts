/** The key of everything the browser has read of blocked handles: the path of their list. */
export const blocksKey = ["/api/blocked-handles"];
