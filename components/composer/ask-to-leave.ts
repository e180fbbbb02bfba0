import { listUnsent, releaseHeld, unaccepted } from "@/components/composer/outbox";
import { readStored } from "@/components/composer/stored-unsent";

/**
 * Sends what can still be taken back, before the session is another one. If a message was not accepted then, asks whether
 * the user wants to go on with `what` all the same. False when they do not. A sign-out forgets the user's messages of
 * all accounts and pages; `sender`: null where the page does not know its user, for those of all users.
 */
export async function askToLeave(
  sender: string | null,
  what: "Sign out" | "Switch the account",
): Promise<boolean> {
  if (sender !== null) await releaseHeld(sender, "all");
  const count = sender === null || what === "Sign out" ? countOf(sender) : unaccepted(sender).length;
  if (count === 0) return true;
  const left = count === 1 ? "1 message was not sent." : `${count} messages were not sent.`;
  // The browser's own question, as before a tab is closed: it can't be lost behind a menu or the palette.
  return window.confirm(`${left} ${what} anyway?`);
}

function countOf(sender: string | null): number {
  const all = new Map(readStored());
  const own = listUnsent().map((each) => [each.key, each] as const);
  const found = [...new Map([...all, ...own]).values()];
  const isCounted = (each: (typeof found)[number]) =>
    each.state !== "accepted" && (sender === null || userOf(each.sender) === userOf(sender));
  return found.filter(isCounted).length;
}

/** The user of a sender, which is an account's ID, a space and the user's email address. */
function userOf(sender: string): string {
  return sender.slice(sender.indexOf(" ") + 1);
}
