import { isOverdue, toLate, toRefused, toWaiting } from "@/components/composer/later-states";
import { sendOnce } from "@/components/composer/send-once";
import {
  ALIVE_MS,
  forget,
  forgetAll,
  isLeft,
  keep,
  LEFT,
  PAGE,
  readStored,
  type StoredMessage,
  type UnsentMessage,
} from "@/components/composer/stored-unsent";
import { UNDO_MS } from "@/components/composer/undo-send";
import { ApiFailure, sessionHasEnded } from "@/lib/client/api-fetch";

/** How long it is stored for its writer, who does not come back. */
const KEEP_MS = 7 * 86_400_000;
/** After a suspension, other pages get this time to show that they go on, too. */
const WAKE_MS = 2 * 60_000;

let messages: readonly UnsentMessage[] = [];
/** The keys that this page has stored. A message that could not be stored is in this page alone. */
const storedKeys = new Set<string>();
let isDelivering = false;
let delivery = Promise.resolve();
let isLeaving = false;
/** The page is closed, unless the browser shows it again: another page may have its messages. */
let isClosing = false;
let lastSeenMs = Date.now();
let wokeAtMs = Number.NEGATIVE_INFINITY;
const listeners = new Set<() => void>();

/**
 * The messages that were not accepted yet, in the order in which they were written. Each is stored in the browser until
 * it is accepted, and belongs to one page: the one that wrote it, or the next one of its sender after that was closed.
 */
export function listUnsent(): readonly UnsentMessage[] {
  return messages;
}

/** Calls `listener` after each change. Returns a function that ends this. */
export function onUnsentChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Adds a message to the end of those that wait. `holdMs`: how long its writer can take it back first. */
export function addUnsent(
  message: Pick<
    UnsentMessage,
    "key" | "sender" | "chatId" | "draft" | "override" | "tries" | "lastMessageId"
  >,
  holdMs = 0,
): void {
  // A clock that was set back must not change the order.
  const writtenAtMs = Math.max(Date.now(), ...messages.map((each) => each.writtenAtMs + 1));
  const hold =
    holdMs > 0
      ? ({ state: "held", heldUntilMs: Date.now() + holdMs } as const)
      : ({ state: "waiting" } as const);
  store([...messages, { ...message, ...hold, writtenAtMs, refusal: null, messageId: null }]);
}

/** In how many milliseconds the sender's next held message is sent; null when none is held. */
export function nextReleaseMs(sender: string): number | null {
  const holds = messages.filter((each) => each.sender === sender && each.state === "held");
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
  takeOverLeft(sender);
  endHolds((each) => each.sender === sender && each.chatId === chatId);
  await deliverUnsent(sender);
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

/** The sender's messages that the server has not accepted. */
export function unaccepted(sender: string): UnsentMessage[] {
  return messages.filter((each) => each.sender === sender && each.state !== "accepted");
}

/** Whether something would be lost, or not be sent for now, if the page were closed. */
export function isNeeded(sender: string | null): boolean {
  const isOpen = (each: UnsentMessage) => each.sender === sender && each.state !== "refused";
  return messages.some(
    (each) =>
      each.state !== "accepted" && (!storedKeys.has(each.key) || (isOpen(each) && !sessionHasEnded())),
  );
}

function endHolds(ends: (message: UnsentMessage) => boolean): void {
  dropTaken();
  const isOver = (each: UnsentMessage) => each.state === "held" && ends(each);
  if (!messages.some(isOver)) return;
  store(messages.map((each) => (isOver(each) ? { ...each, state: "waiting" } : each)));
}

/** Removes a message that is held. False when its hold has ended. */
export function takeBack(key: string): boolean {
  dropTaken();
  if (!messages.some((each) => each.key === key && each.state === "held")) return false;
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
  if (isClosed) {
    for (let next = nextOf(sender); next !== undefined; next = nextOf(sender)) void deliver(next);
    isClosing = true;
    for (const each of messages) write(each);
  }
  isLeaving = false;
}

/** Removes a message: it is in the timeline, or the user does not want it any more. */
export function removeUnsent(key: string): void {
  dropTaken();
  store(messages.filter((each) => each.key !== key));
}

/** Lets a refused message be sent again. */
export function retryUnsent(key: string): void {
  const isUncertain = messages.some((each) => each.key === key && each.isUncertain);
  change(key, { state: "waiting", refusal: null, ...(isUncertain ? {} : { tries: 0 }) });
}

/** Forgets all messages of all pages, so that the next user who signs in in this browser can't read them. */
export function clearUnsent(): void {
  forgetAll();
  store([]);
}

/**
 * Sends the sender's waiting messages one after the other, in the order in which they were written, until all were
 * answered or the server does not answer. A message waits for those of its chat that are held. Does nothing else while an
 * earlier call still sends.
 */
export function deliverUnsent(sender: string): Promise<void> {
  if (!isDelivering) delivery = deliverAll(sender);
  return delivery;
}

async function deliverAll(sender: string): Promise<void> {
  isDelivering = true;
  try {
    for (;;) {
      const next = nextOf(sender);
      if (next === undefined || !(await deliver(next))) return;
    }
  } finally {
    isDelivering = false;
  }
}

// Nothing is sent after the session has ended, nor by a page that is closed and goes on a little.
function nextOf(sender: string | null): UnsentMessage | undefined {
  dropTaken();
  if (isClosing || sessionHasEnded()) return;
  const own = messages.filter((each) => each.sender === sender);
  const busy = new Set(own.filter(({ state }) => state === "sending").map(({ chatId }) => chatId));
  return own.find(({ state, chatId }) => {
    if (state === "held") busy.add(chatId);
    return state === "waiting" && !busy.has(chatId);
  });
}

/** Whether the server answered, by accepting or refusing the message. */
async function deliver(message: UnsentMessage): Promise<boolean> {
  const { key, tries } = message;
  change(key, { state: "sending", tries: tries + 1, refusal: null });
  const outcome = await sendOnce(message, isLeaving);
  if ("messageId" in outcome) change(key, { state: "accepted", messageId: outcome.messageId });
  else
    change(
      key,
      outcome.failure === null ? toWaiting(message, outcome.reason) : toRefused(message, outcome.failure),
      "sending",
    );
  return !("failure" in outcome) || outcome.failure !== null;
}

/** Changes a message, if this page still has it, and if it is in the state `from`. */
function change(key: string, to: Partial<UnsentMessage>, from?: UnsentMessage["state"]): void {
  dropTaken();
  const isMeant = (each: UnsentMessage) => each.key === key && (from ?? each.state) === each.state;
  if (messages.some(isMeant)) store(messages.map((each) => (isMeant(each) ? { ...each, ...to } : each)));
}

function store(next: readonly UnsentMessage[]): void {
  const before = new Set(messages);
  const kept = new Set(next.filter(({ state }) => state !== "accepted").map(({ key }) => key));
  for (const { key } of before) if (!kept.has(key) && storedKeys.delete(key)) forget(key);
  for (const each of next) if (!before.has(each)) write(each);
  show(next);
}

function write(message: UnsentMessage): void {
  if (message.state === "accepted") return;
  if (keep(message, isClosing ? LEFT : PAGE)) storedKeys.add(message.key);
}

function show(next: readonly UnsentMessage[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

/**
 * Takes over the sender's messages of pages that were closed or have ended. Called for a new sender, whenever the page is
 * shown again, and regularly, by which other pages know that this one is alive.
 */
export function takeOverLeft(sender: string | null): void {
  isClosing = false;
  dropTaken();
  for (const each of messages) write(each);
  const mine = new Set(messages.map(({ key }) => key));
  const isAwake = Date.now() - wokeAtMs > WAKE_MS;
  const isFree = (each: StoredMessage) =>
    !mine.has(each.key) && isLeft(each) && (isAwake || each.page === LEFT);
  const free = [...(readStored()?.values() ?? [])].filter(isFree);
  const isKept = ({ writtenAtMs }: StoredMessage) => Date.now() - writtenAtMs <= KEEP_MS;
  for (const each of free) if (!isKept(each)) forget(each.key);
  const taken = free.filter((each) => each.sender === sender && isKept(each)).map(toLate);
  if (taken.length > 0) store([...messages, ...taken].sort((a, b) => a.writtenAtMs - b.writtenAtMs));
}

/** Leaves the messages of other senders to the next page of theirs. What could not be stored stays here. */
export function leaveOthers(sender: string | null): void {
  dropTaken();
  const isOther = (each: UnsentMessage) =>
    each.sender !== sender && (each.state === "accepted" || storedKeys.has(each.key));
  const others = messages.filter(isOther);
  if (others.length > 0) show(messages.filter((each) => !isOther(each)));
  for (const each of others) if (storedKeys.delete(each.key)) keep(each, LEFT);
}

/**
 * Drops the messages that another page has taken over, and those that were cleared. Before anything is sent, this also
 * notices that the page was suspended, and stops what is old by now.
 */
export function dropTaken(): void {
  const stored = readStored();
  const isMine = ({ key, state }: UnsentMessage) => {
    const page = stored?.get(key)?.page;
    return state === "accepted" || !storedKeys.has(key) || page === PAGE || page === LEFT;
  };
  const taken = stored === null ? [] : messages.filter((each) => !isMine(each));
  if (taken.length > 0) show(messages.filter(isMine));
  for (const { key } of taken) storedKeys.delete(key);
  stopAfterSuspension();
}

/** An open page runs at least once a minute. If it did not, its writer was away, and other pages were suspended, too. */
function stopAfterSuspension(): void {
  const pausedMs = Date.now() - lastSeenMs;
  lastSeenMs = Date.now();
  if (pausedMs <= ALIVE_MS) return;
  wokeAtMs = lastSeenMs;
  const isOld = (each: UnsentMessage) => each.state !== "accepted" && isOverdue(each);
  if (messages.some(isOld)) store(messages.map((each) => (isOld(each) ? toLate(each) : each)));
}
