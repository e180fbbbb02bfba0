import { EARLIER, keep, LEFT, type UnsentMessage } from "@/components/composer/stored-unsent";

/** Moves what an earlier version stored with the tab to the messages that the next page of their sender takes over. */
export function moveEarlier(): void {
  try {
    const earlier: UnsentMessage[] = JSON.parse(sessionStorage.getItem(EARLIER) ?? "[]");
    const unsent = earlier.filter(({ state }) => state !== "accepted");
    const rest = unsent.filter((each, index) => !keep(toStored(each, index), LEFT));
    if (rest.length === 0) sessionStorage.removeItem(EARLIER);
    else sessionStorage.setItem(EARLIER, JSON.stringify(rest));
  } catch {
    // Without storage, or with an entry that can't be read, there is nothing to move.
  }
}

// The earlier version stored no time, only the order.
function toStored(message: UnsentMessage, index: number): UnsentMessage {
  const writtenAtMs = Date.now() + index;
  if (message.state === "refused") return { ...message, writtenAtMs, isUncertain: message.tries > 1 };
  return { ...message, writtenAtMs, state: "waiting", isUncertain: message.tries > 0 };
}
