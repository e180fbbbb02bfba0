/** The key of everything the browser has read of opt-outs: the path of their list. */
export const optOutsKey = ["/api/opt-outs"];
