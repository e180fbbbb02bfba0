import { toRefused, toWaiting } from "@/components/composer/later-states";
import {
  change,
  dropTaken,
  isPageClosed,
  isStored,
  leaveAll,
  listUnsent,
  removeUnsent,
  store,
  takeOverEnded,
} from "@/components/composer/page-messages";
import { sendOnce } from "@/components/composer/send-once";
import type { UnsentMessage } from "@/components/composer/stored-unsent";
import { UNDO_MS } from "@/components/composer/undo-send";
import { ApiFailure, sessionHasEnded } from "@/lib/client/api-fetch";

const DONE = Promise.resolve();
/** The chats whose messages are being sent, and when that ends. */
const deliveries = new Map<string, Promise<void>>();
let isLeaving = false;

/** Adds a message to the end of those that wait. `holdMs`: how long its writer can take it back first. */
export function addUnsent(
  message: Pick<
    UnsentMessage,
    "key" | "sender" | "chatId" | "draft" | "override" | "lastMessageId" | "isInComposer"
  >,
  holdMs = 0,
): void {
  // A clock that was set back must not change the order.
  const writtenAtMs = Math.max(Date.now(), ...listUnsent().map((each) => each.writtenAtMs + 1));
  const hold =
    holdMs > 0
      ? ({ state: "held", heldUntilMs: Date.now() + holdMs } as const)
      : ({ state: "waiting" } as const);
  const more = { writtenAtMs, tries: 0, refusal: null, messageId: null };
  store([...listUnsent(), { ...message, ...hold, ...more }]);
}

/** In how many milliseconds the sender's next held message is sent; null when none is held. */
export function nextReleaseMs(sender: string): number | null {
  const holds = listUnsent().filter((each) => each.sender === sender && each.state === "held");
  return holds.length === 0 ? null : Math.min(...holds.map(leftOf));
}

// A clock that was set back must not hold a message longer.
function leftOf({ heldUntilMs = 0 }: UnsentMessage): number {
  const leftMs = heldUntilMs - Date.now();
  return leftMs > UNDO_MS ? 0 : Math.max(0, leftMs);
}

/** Ends the holds of the sender's messages that are over, or all of them, and sends what waits. */
export function releaseHeld(sender: string, which: "over" | "all"): Promise<void> {
  endHolds((each) => each.sender === sender && (which === "all" || leftOf(each) === 0));
  return deliverUnsent(sender);
}

/** Sends what a chat holds. Whether nothing of the chat is left that was not accepted, so that nothing is overtaken. */
export async function releaseChat(sender: string, chatId: string): Promise<boolean> {
  const taking = takeOverEnded(sender);
  if (taking !== null) await taking;
  endHolds((each) => each.sender === sender && each.chatId === chatId);
  await deliverChat(sender, chatId);
  return !unaccepted(sender).some((each) => each.chatId === chatId);
}

/** Releases a chat as `releaseChat`. Throws ApiFailure when a message of it was not accepted. */
export async function requireNoneLeft(sender: string, chatId: string): Promise<void> {
  if (await releaseChat(sender, chatId)) return;
  throw new ApiFailure(
    0,
    "A message of this chat was not sent yet. Send or delete it first, then try again.",
  );
}

/** Whether something would be lost, or not be sent for now, if the page were closed. */
export function isNeeded(sender: string | null): boolean {
  const isOpen = (each: UnsentMessage) => each.sender === sender && each.state !== "refused";
  return listUnsent().some(
    (each) => each.state !== "accepted" && (!isStored(each.key) || (isOpen(each) && !sessionHasEnded())),
  );
}

function endHolds(ends: (message: UnsentMessage) => boolean): void {
  dropTaken();
  const isOver = (each: UnsentMessage) => each.state === "held" && ends(each);
  if (!listUnsent().some(isOver)) return;
  store(listUnsent().map((each) => (isOver(each) ? { ...each, state: "waiting" } : each)));
}

/** Removes a message that is held. False when its hold has ended. */
export function takeBack(key: string): boolean {
  dropTaken();
  if (!listUnsent().some((each) => each.key === key && each.state === "held")) return false;
  removeUnsent(key);
  return true;
}

/**
 * Sends what is held because the user leaves the page. While the page is closed (`isClosed`), nothing waits for an answer:
 * the first message of each chat is sent by a request that outlives the page. The next page sends the rest, in its order,
 * and with the same keys what may not have been accepted.
 */
export function sendBeforeLeaving(sender: string | null, isClosed: boolean): void {
  isLeaving = true;
  if (sender !== null) void releaseHeld(sender, "all");
  isLeaving = false;
  if (isClosed) leaveAll();
}

/** Lets a refused message be sent again. */
export function retryUnsent(key: string): void {
  const isUncertain = listUnsent().some((each) => each.key === key && each.isUncertain);
  const again = { state: "waiting", refusal: null, answeredSinceMs: undefined } as const;
  change(key, { ...again, ...(isUncertain ? {} : { tries: 0 }) });
}

/**
 * Sends the sender's waiting messages: those of a chat one after the other, in the order in which they were written, until
 * all were answered or one was not. A message waits for those of its chat that are held, never for those of another chat.
 */
export async function deliverUnsent(sender: string): Promise<void> {
  const chatIds = new Set(unaccepted(sender).map(({ chatId }) => chatId));
  await Promise.all([...chatIds].map((chatId) => deliverChat(sender, chatId)));
}

/** Sends the waiting messages of a chat. Resolves when an earlier call has ended, if one still sends. */
export function deliverChat(sender: string, chatId: string): Promise<void> {
  const running = deliveries.get(chatId);
  if (running !== undefined) return running;
  // The listeners of the first change call this again.
  deliveries.set(chatId, DONE);
  const delivery = sendInOrder(sender, chatId);
  if (deliveries.has(chatId)) deliveries.set(chatId, delivery);
  return delivery;
}

async function sendInOrder(sender: string, chatId: string): Promise<void> {
  try {
    for (;;) {
      const next = nextOf(sender, chatId);
      if (next === undefined || !(await deliver(next))) return;
    }
  } finally {
    deliveries.delete(chatId);
  }
}

// Nothing is sent after the session has ended, nor by a page that is closed and goes on a little.
function nextOf(sender: string, chatId: string): UnsentMessage | undefined {
  dropTaken();
  if (isPageClosed() || sessionHasEnded()) return;
  const isOpen = (each: UnsentMessage) => each.chatId === chatId && each.state !== "refused";
  const first = unaccepted(sender).find(isOpen);
  return first?.state === "waiting" ? first : undefined;
}

/** Whether the server answered, by accepting or refusing the message. */
async function deliver(message: UnsentMessage): Promise<boolean> {
  const { key, tries } = message;
  change(key, { state: "sending", tries: tries + 1, refusal: null });
  const outcome = await sendOnce(message, isLeaving);
  if ("messageId" in outcome) {
    change(key, { state: "accepted", messageId: outcome.messageId });
    return true;
  }
  const next = "failure" in outcome ? toRefused(message, outcome.failure) : toWaiting(message, outcome);
  change(key, next, "sending");
  return next.state === "refused";
}

function unaccepted(sender: string): UnsentMessage[] {
  return listUnsent().filter((each) => each.sender === sender && each.state !== "accepted");
}
