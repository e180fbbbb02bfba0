/** Under which the browser keeps the account's tokens. */
export const tokensKey = ["tokens"];
