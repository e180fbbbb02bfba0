import type { Draft } from "@/components/composer/draft";
import type { ApiFailure } from "@/lib/client/api-fetch";
import { randomKey } from "@/lib/client/random-key";

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
  /** The newest message that the writer had seen; null in an empty chat, absent when newer ones were not loaded. */
  lastMessageId?: string | null | undefined;
  /** When it was written, by the browser's clock. */
  writtenAtMs: number;
  /** `held`: nothing was sent yet, and its writer can take it back. */
  state: "held" | "waiting" | "sending" | "refused" | "accepted";
  /** Until when it is held, by the browser's clock; absent without a hold. */
  heldUntilMs?: number;
  /** How often it was sent. The server may have accepted it although its answer was lost. */
  tries: number;
  /** Why the server refused it, or has not accepted it yet. */
  refusal: ({ message: string } & Partial<Pick<ApiFailure, "code" | "traceId" | "docUrl">>) | null;
  /** Since when each answer gave a reason to send it again; absent before, and after a try that was not answered. */
  answeredSinceMs?: number | undefined;
  /** It is too old to be sent by itself, and may have been accepted: only the same message is safe to send again. */
  isUncertain?: boolean;
  /** It is sent for the first time, without a hold: the composer shows it until it is answered. */
  isInComposer?: boolean;
  /** The message's ID, once it was accepted. */
  messageId: string | null;
}

const PREFIX = "trunkline:unsent:";
/** Where an earlier version stored the messages of a tab, in its session storage. */
export const EARLIER = "trunkline:unsent";
/** This page, which alone sends what it stores. A duplicated tab is another page. */
export const PAGE = randomKey();
/** How old an entry may be that its page did not touch. Browsers let a page in the background run once a minute. */
export const ALIVE_MS = 150_000;

/** A message as the browser stores it. `page`: the one that sends it, or `LEFT`. */
export type StoredMessage = UnsentMessage & { page: string; touchedAtMs: number };

/** In place of the page: it was closed, and the next one of its sender takes the message over. */
export const LEFT = "";

/** Whether it was stored: the browser's storage may be full, or off. */
export function keep(message: UnsentMessage, page: string): boolean {
  const stored: StoredMessage = { ...message, page, touchedAtMs: Date.now() };
  try {
    localStorage.setItem(PREFIX + message.key, JSON.stringify(stored));
    return true;
  } catch {
    return false;
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // Without storage, there is nothing to forget.
  }
}

/** Forgets the messages of some senders, of all pages, and those that can't be read. */
export function forgetAll(isTheirs: (sender: string) => boolean): void {
  try {
    for (const name of Object.keys(localStorage)) {
      const [entry] = readEntry(name);
      if (name.startsWith(PREFIX) && (entry === undefined || isTheirs(entry.sender))) {
        localStorage.removeItem(name);
      }
    }
    sessionStorage.removeItem(EARLIER);
  } catch {
    // Without storage, there is nothing to forget.
  }
}

/** All that the browser stores, by key, in the order in which it was written; null without storage. */
export function readStored(): Map<string, StoredMessage> | null {
  try {
    const found = Object.keys(localStorage).flatMap(readEntry);
    found.sort((a, b) => a.writtenAtMs - b.writtenAtMs);
    return new Map(found.map((each) => [each.key, each]));
  } catch {
    return null;
  }
}

function readEntry(name: string): StoredMessage[] {
  if (!name.startsWith(PREFIX)) return [];
  try {
    const entry: StoredMessage = JSON.parse(localStorage.getItem(name) ?? "");
    return PREFIX + entry.key === name ? [entry] : [];
  } catch {
    return [];
  }
}

/** Whether the page that has a message was closed, or has given no sign of life. */
export function isLeft({ page, touchedAtMs }: StoredMessage): boolean {
  return page === LEFT || (page !== PAGE && Math.abs(Date.now() - touchedAtMs) > ALIVE_MS);
}
