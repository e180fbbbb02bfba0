/** The root of all query keys about blocked handles: the path of the list. */
export const blocksKey = ["/api/blocked-handles"];
