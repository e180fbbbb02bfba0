import { releaseHeld, unaccepted } from "@/components/composer/outbox";

/**
 * Sends what can still be taken back, before the session is another one. If a message was not accepted then, asks whether
 * the user wants to go on with `what` all the same. False when they do not.
 */
export async function askToLeave(sender: string, what: string): Promise<boolean> {
  await releaseHeld(sender, "all");
  const count = unaccepted(sender).length;
  if (count === 0) return true;
  const left = count === 1 ? "1 message was not sent." : `${count} messages were not sent.`;
  // The browser's own question, as before a tab is closed: it can't be lost behind a menu or the palette.
  return window.confirm(`${left} ${what} anyway?`);
}
