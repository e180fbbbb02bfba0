/** The query key of all cached data about API tokens: the path of the list. */
export const tokensKey = ["/api/tokens"];
