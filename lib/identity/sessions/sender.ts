/** Request header of a write in a browser: its sender, encoded with encodeURIComponent. */
export const SENDER_HEADER = "x-sender";

/** Who writes, in which account: the account's ID, a space and the user's email address. */
export function senderOf(accountId: string | undefined, email: string): string {
  return `${accountId} ${email}`;
}

/** The user of a sender. */
export function userOf(sender: string): string {
  return sender.slice(sender.indexOf(" ") + 1);
}

/** The header with which a write is accepted only from its sender: the session may be another one by now. */
export function senderHeader(sender: string): Record<string, string> {
  return { [SENDER_HEADER]: encodeURIComponent(sender) };
}
