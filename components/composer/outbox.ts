import type { Draft } from "@/components/composer/draft";
import { toContent } from "@/components/composer/to-content";
import { UNDO_MS, UNDO_OFF, UNDO_SEND } from "@/components/composer/undo-send";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { currentConnection, reportAnswered } from "@/lib/client/connection";

/** A message that was written but that no answer of the server has accepted yet. */
export interface UnsentMessage {
  /** Its idempotency key: however often it is sent, it is accepted once. */
  key: string;
  /** Who wrote it in which account (`useSender`). Only that user sees it, and it is sent only as that user. */
  sender: string;
  chatId: string;
  draft: Draft;
  /** The reason to override the recipient's opt-out; null without an override. */
  override: string | null;
  /** `held`: nothing was sent yet, and its writer can take it back. */
  state: "held" | "waiting" | "sending" | "refused" | "accepted";
  /** Until when it is held, by the browser's clock; absent without a hold. */
  heldUntilMs?: number;
  /** How often it was sent. The server may have accepted it although its answer was lost. */
  tries: number;
  /** Why the server refused it. */
  refusal: Pick<ApiFailure, "message" | "code" | "traceId" | "docUrl"> | null;
  /** The message's ID, once it was accepted. */
  messageId: string | null;
}

const STORED_AT = "trunkline:unsent";
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
const listeners = new Set<() => void>();

/** The messages that were not accepted yet, in the order in which they were written. Stored while the tab is open. */
export function listUnsent(): readonly UnsentMessage[] {
  messages ??= readStored();
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
  message: Pick<UnsentMessage, "key" | "sender" | "chatId" | "draft" | "override" | "tries">,
  holdMs = 0,
): void {
  const hold =
    holdMs > 0
      ? ({ state: "held", heldUntilMs: Date.now() + holdMs } as const)
      : ({ state: "waiting" } as const);
  store([...listUnsent(), { ...message, ...hold, refusal: null, messageId: null }]);
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
  const ends = (each: UnsentMessage) =>
    each.sender === sender && each.state === "held" && (which === "all" || leftOf(each) === 0);
  if (listUnsent().some(ends)) {
    store(listUnsent().map((each) => (ends(each) ? { ...each, state: "waiting" } : each)));
  }
  return deliverUnsent(sender);
}

/** Removes a message that is held. False when its hold has ended. */
export function takeBack(key: string): boolean {
  const isHeld = listUnsent().some((each) => each.key === key && each.state === "held");
  if (isHeld) removeUnsent(key);
  return isHeld;
}

/**
 * Sends what is held because the user leaves the page. While the page is closed (`isClosed`), nothing waits for an answer:
 * the requests outlive the page. What the server does not get is still stored with the tab.
 */
export function sendBeforeLeaving(sender: string, isClosed: boolean): void {
  isLeaving = true;
  void releaseHeld(sender, "all");
  if (isClosed) {
    const waiting = listUnsent().filter((each) => each.sender === sender && each.state === "waiting");
    for (const each of waiting) void deliver(each);
  }
  isLeaving = false;
}

/** Whether `sendBeforeLeaving` certainly sends all that waits, in its order. */
export function canLeave(): boolean {
  const open = listUnsent().filter(({ state }) => state !== "accepted");
  return (
    open.every(({ state }) => state === "held") &&
    new Set(open.map(({ chatId }) => chatId)).size === open.length &&
    JSON.stringify(open).length <= MAX_LAST_CHARACTERS
  );
}

/** Removes a message: it is in the timeline, or the user does not want it any more. */
export function removeUnsent(key: string): void {
  store(listUnsent().filter((each) => each.key !== key));
}

/** Lets a refused message be sent again. */
export function retryUnsent(key: string): void {
  change(key, { state: "waiting", refusal: null });
}

/** Forgets all messages, so that the next user who signs in in this tab can't read them. */
export function clearUnsent(): void {
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
  const held = new Set<string>();
  return listUnsent().find((each) => {
    if (each.sender !== sender) return false;
    if (each.state === "held") held.add(each.chatId);
    return each.state === "waiting" && !held.has(each.chatId);
  });
}

/** Whether the server answered, by accepting or refusing the message. */
async function deliver({ key, chatId, draft, override, tries }: UnsentMessage): Promise<boolean> {
  change(key, { state: "sending", tries: tries + 1 });
  const outcome = await sendOnce(chatId, draft, { key, override });
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
  { key, override }: Pick<UnsentMessage, "key" | "override">,
): Promise<SendOutcome> {
  const content = toContent(draft);
  if (content === null) return { failure: new ApiFailure(400, "The message is empty.") };
  const message = { ...content, idempotency_key: key };
  const over = override === null ? {} : { override_optout: true, override_reason: override };
  try {
    const sent = await apiFetch<{ message: { id: string } }>(`/api/chats/${chatId}/messages`, {
      method: "POST",
      body: { message, ...over },
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
  messages = next;
  try {
    if (next.length === 0) sessionStorage.removeItem(STORED_AT);
    else sessionStorage.setItem(STORED_AT, JSON.stringify(next));
  } catch {
    // Without session storage, a reload loses them, and the browser asks before it reloads.
  }
  for (const listener of listeners) listener();
}

function readStored(): readonly UnsentMessage[] {
  try {
    const stored: UnsentMessage[] = JSON.parse(sessionStorage.getItem(STORED_AT) ?? "[]");
    // The page that was sending them is gone.
    return stored.map((each) => (each.state === "sending" ? { ...each, state: "waiting" } : each));
  } catch {
    return NONE;
  }
}
