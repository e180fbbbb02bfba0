/**
 * Request header of a write that waited in a browser: the account's ID, a space and the user's email address, encoded
 * with encodeURIComponent. The session may be another user's by now, or in another account.
 */
export const SENDER_HEADER = "x-sender";
