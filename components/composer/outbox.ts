import type { Draft } from "@/components/composer/draft";
import {
  forget,
  isLeft,
  keep,
  LEFT,
  PAGE,
  readStored,
  type StoredMessage,
  type UnsentMessage,
} from "@/components/composer/stored-unsent";
import { toContent } from "@/components/composer/to-content";
import { UNDO_MS, UNDO_OFF, UNDO_SEND } from "@/components/composer/undo-send";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { currentConnection, reportAnswered } from "@/lib/client/connection";

/** What a later page finds is sent by itself only for this time: an older message would come as a surprise. */
const SEND_LATER_MS = 10 * 60_000;
/** How long it is stored for its writer, who does not come back. */
const KEEP_MS = 7 * 86_400_000;
/** A server that does not answer a send within this time is taken for gone. The same key makes it safe to send again. */
const SEND_TIMEOUT_MS = 10_000;
/** Answers of a proxy whose server is away, of a server that is overloaded, and of one that has signed the user out. */
const TRY_AGAIN = new Set([0, 401, 429, 502, 503, 504]);

/** The most characters of a message that a page can send while it is closed: browsers send at most 64 kB then. */
const MAX_LAST_CHARACTERS = 20_000;

const NONE: readonly UnsentMessage[] = [];
let messages: readonly UnsentMessage[] | null = null;
let isDelivering = false;
let delivery = Promise.resolve();
let isLeaving = false;
/** The page is closed, unless the browser shows it again: another page may have its messages. */
let isClosing = false;
const listeners = new Set<() => void>();

/**
 * The messages that were not accepted yet, in the order in which they were written. Each is stored in the browser until
 * it is accepted, and belongs to one page: the one that wrote it, or the next one after that was closed.
 */
export function listUnsent(): readonly UnsentMessage[] {
  if (messages === null) {
    messages = NONE;
    takeOverLeft();
  }
  return messages;
}

/** Calls `listener` after each change. Returns a function that ends this. */
export function onUnsentChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How long the user can take back a message that is written now. 0: never, or there is no connection anyway. */
export function currentHoldMs(): number {
  if (currentConnection() !== "online") return 0;
  try {
    return localStorage.getItem(UNDO_SEND) === UNDO_OFF ? 0 : UNDO_MS;
  } catch {
    return UNDO_MS;
  }
}

/** Adds a message to the end of those that wait. `holdMs`: how long its writer can take it back first. */
export function addUnsent(
  message: Pick<
    UnsentMessage,
    "key" | "sender" | "chatId" | "draft" | "override" | "tries" | "lastMessageId"
  >,
  holdMs = 0,
): void {
  const writtenAtMs = Date.now();
  const hold =
    holdMs > 0
      ? ({ state: "held", heldUntilMs: writtenAtMs + holdMs } as const)
      : ({ state: "waiting" } as const);
  store([...listUnsent(), { ...message, ...hold, writtenAtMs, refusal: null, messageId: null }]);
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
  return listUnsent().filter((each) => each.sender === sender && each.state !== "accepted");
}

function endHolds(ends: (message: UnsentMessage) => boolean): void {
  const isOver = (each: UnsentMessage) => each.state === "held" && ends(each);
  if (!listUnsent().some(isOver)) return;
  store(listUnsent().map((each) => (isOver(each) ? { ...each, state: "waiting" } : each)));
}

/** Removes a message that is held. False when its hold has ended. */
export function takeBack(key: string): boolean {
  const isHeld = listUnsent().some((each) => each.key === key && each.state === "held");
  if (isHeld) removeUnsent(key);
  return isHeld;
}

/**
 * Sends what is held because the user leaves the page. While the page is closed (`isClosed`), nothing waits for an answer:
 * the requests outlive the page, and the next page sends with the same keys what may not have been accepted.
 */
export function sendBeforeLeaving(sender: string, isClosed: boolean): void {
  isLeaving = true;
  void releaseHeld(sender, "all");
  if (isClosed) {
    const waiting = listUnsent().filter((each) => each.sender === sender && each.state === "waiting");
    for (const each of waiting) void deliver(each);
    isClosing = true;
    store(listUnsent());
  }
  isLeaving = false;
}

/** Removes a message: it is in the timeline, or the user does not want it any more. */
export function removeUnsent(key: string): void {
  store(listUnsent().filter((each) => each.key !== key));
}

/** Lets a refused message be sent again. */
export function retryUnsent(key: string): void {
  change(key, { state: "waiting", refusal: null });
}

/** Forgets all messages of all pages, so that the next user who signs in in this browser can't read them. */
export function clearUnsent(): void {
  for (const key of readStored()?.keys() ?? []) forget(key);
  store(NONE);
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

function nextOf(sender: string): UnsentMessage | undefined {
  const busy = new Set<string>();
  return listUnsent().find((each) => {
    if (each.sender !== sender) return false;
    if (each.state === "held" || each.state === "sending") busy.add(each.chatId);
    return each.state === "waiting" && !busy.has(each.chatId);
  });
}

/** Whether the server answered, by accepting or refusing the message. */
async function deliver(message: UnsentMessage): Promise<boolean> {
  const { key, chatId, draft } = message;
  change(key, { state: "sending", tries: message.tries + 1 });
  const outcome = await sendOnce(chatId, draft, message);
  if ("messageId" in outcome) change(key, { state: "accepted", messageId: outcome.messageId });
  else if (outcome.failure === null) change(key, { state: "waiting" });
  else {
    const { message, code, traceId, docUrl } = outcome.failure;
    change(key, { state: "refused", refusal: { message, code, traceId, docUrl } });
  }
  return !("failure" in outcome) || outcome.failure !== null;
}

/** The accepted message's ID, or why it was refused; null without an answer, so that the outcome is unknown. */
export type SendOutcome = { messageId: string } | { failure: ApiFailure | null };

/** Sends a draft to a chat once. Never throws. */
export async function sendOnce(
  chatId: string,
  draft: Draft,
  { key, override, lastMessageId }: Pick<UnsentMessage, "key" | "override" | "lastMessageId">,
): Promise<SendOutcome> {
  const content = toContent(draft);
  if (content === null) return { failure: new ApiFailure(400, "The message is empty.") };
  const message = { ...content, idempotency_key: key };
  const over = override === null ? {} : { override_optout: true, override_reason: override };
  try {
    const sent = await apiFetch<{ message: { id: string } }>(`/api/chats/${chatId}/messages`, {
      method: "POST",
      body: { message, ...over, last_message_id: lastMessageId },
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      keepalive: isLeaving && JSON.stringify(message).length <= MAX_LAST_CHARACTERS,
    });
    return { messageId: sent.message.id };
  } catch (error) {
    if (error instanceof ApiFailure && !TRY_AGAIN.has(error.status)) return { failure: error };
    if (!(error instanceof ApiFailure) || error.status === 0) reportAnswered(false);
    return { failure: null };
  }
}

function change(key: string, to: Partial<UnsentMessage>): void {
  store(listUnsent().map((each) => (each.key === key ? { ...each, ...to } : each)));
}

function store(next: readonly UnsentMessage[]): void {
  const kept = new Set(next.filter(({ state }) => state !== "accepted").map(({ key }) => key));
  for (const { key } of messages ?? NONE) if (!kept.has(key)) forget(key);
  messages = next;
  for (const each of next) if (each.state !== "accepted") keep(each, isClosing ? LEFT : PAGE);
  for (const listener of listeners) listener();
}

/**
 * Takes over the messages of pages that were closed or have ended, and drops those that another page has. Called at first,
 * whenever the page is shown again, and regularly, by which other pages know that this one is alive.
 */
export function takeOverLeft(): void {
  isClosing = false;
  dropTaken();
  const stored = readStored() ?? new Map<string, StoredMessage>();
  const mine = new Set(listUnsent().map(({ key }) => key));
  const left = [...stored.values()].filter((each) => !mine.has(each.key) && isLeft(each));
  const isKept = ({ writtenAtMs }: StoredMessage) => Date.now() - writtenAtMs <= KEEP_MS;
  for (const each of left) if (!isKept(each)) forget(each.key);
  const next = [...listUnsent(), ...left.filter(isKept).map(toLate)];
  if (next.length > 0) store(next.sort((a, b) => a.writtenAtMs - b.writtenAtMs));
}

/** Drops the messages that another page has taken over, and those that were cleared. */
export function dropTaken(): void {
  const stored = readStored();
  if (stored === null) return;
  const isMine = ({ key, state }: UnsentMessage) => {
    const page = stored.get(key)?.page;
    return state === "accepted" || page === PAGE || page === LEFT;
  };
  if (listUnsent().every(isMine)) return;
  messages = listUnsent().filter(isMine);
  for (const listener of listeners) listener();
}

/** Asks the sender about messages that waited while another account was chosen, if they are old by now. */
export function stopOld(sender: string): void {
  const isStopped = (each: UnsentMessage) => each.sender === sender && each.state === "waiting";
  if (listUnsent().some(isStopped)) {
    store(listUnsent().map((each) => (isStopped(each) ? toLate(each) : each)));
  }
}

// What was being sent when its page ended may have been accepted.
function toLate(message: UnsentMessage): UnsentMessage {
  if (message.state === "refused") return message;
  if (Date.now() - message.writtenAtMs <= SEND_LATER_MS) return { ...message, state: "waiting" };
  const isUncertain = message.tries > 0;
  const text = isUncertain
    ? "It is not known whether this message was sent, because its page was closed. Retry sends it only if it was not."
    : "This message was not sent, because its page was closed.";
  return { ...message, state: "refused", isUncertain, refusal: { message: text } };
}
