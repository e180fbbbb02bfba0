/** The query key of the account's canned replies. */
export const cannedRepliesKey = ["canned-replies"];
