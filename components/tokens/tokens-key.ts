/** The key of everything the browser has read of API tokens: the path of their list. */
export const tokensKey = ["/api/tokens"];
