import type { Draft } from "@/components/composer/draft";
import { toContent } from "@/components/composer/to-content";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { reportAnswered } from "@/lib/client/connection";

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
  state: "waiting" | "sending" | "refused" | "accepted";
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

const NONE: readonly UnsentMessage[] = [];
let messages: readonly UnsentMessage[] | null = null;
let isDelivering = false;
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

/** Adds a message to the end of those that wait. */
export function addUnsent(
  message: Pick<UnsentMessage, "key" | "sender" | "chatId" | "draft" | "override" | "tries">,
): void {
  store([...listUnsent(), { ...message, state: "waiting", refusal: null, messageId: null }]);
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
 * answered or the server does not answer. Does nothing while an earlier call still sends.
 */
export async function deliverUnsent(sender: string): Promise<void> {
  if (isDelivering) return;
  isDelivering = true;
  try {
    for (;;) {
      const next = listUnsent().find((each) => each.sender === sender && each.state === "waiting");
      if (next === undefined || !(await deliver(next))) return;
    }
  } finally {
    isDelivering = false;
  }
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
