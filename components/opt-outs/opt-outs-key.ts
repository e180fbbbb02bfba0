/** The root of all query keys about opt-outs: the path of the list. */
export const optOutsKey = ["/api/opt-outs"];
