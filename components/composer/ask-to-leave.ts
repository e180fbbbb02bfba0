import { releaseHeld } from "@/components/composer/outbox";
import { listUnsent } from "@/components/composer/page-messages";
import { readStored } from "@/components/composer/stored-unsent";
import { userOf } from "@/lib/identity/sessions/sender";

/**
 * Sends what can still be taken back, before the session is another one. If a message was not accepted then, asks whether
 * the user wants to go on with `what` all the same. False when they do not. Messages of all pages count: a switch concerns
 * those of the account, a sign-out those of the user in all accounts, which it forgets. `sender`: null where the page does
 * not know its user, for those of all users.
 */
export async function askToLeave(
  sender: string | null,
  what: "Sign out" | "Switch the account",
): Promise<boolean> {
  if (sender !== null) await releaseHeld(sender, "all");
  const count = countUnaccepted(
    (of) => sender === null || of === sender || (what === "Sign out" && userOf(of) === userOf(sender)),
  );
  if (count === 0) return true;
  const left = count === 1 ? "1 message was not sent." : `${count} messages were not sent.`;
  // The browser's own question, as before a tab is closed: it can't be lost behind a menu or the palette.
  return window.confirm(`${left} ${what} anyway?`);
}

function countUnaccepted(counts: (sender: string) => boolean): number {
  const own = listUnsent().map((each) => [each.key, each] as const);
  const found = new Map([...(readStored() ?? []), ...own]);
  return [...found.values()].filter(({ state, sender }) => state !== "accepted" && counts(sender)).length;
}
