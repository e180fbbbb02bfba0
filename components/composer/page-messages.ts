import { isOverdue, toLate } from "@/components/composer/later-states";
import { findEndedPages, unlockPage } from "@/components/composer/open-pages";
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
import { userOf } from "@/lib/identity/sessions/sender";

/** How long a message is kept if its writer does not return. */
const KEEP_MS = 7 * 86_400_000;
/** After a suspension, other pages get this time to show that they go on, too. */
const WAKE_MS = 2 * 60_000;
const NONE: ReadonlySet<string> = new Set();

let messages: readonly UnsentMessage[] = [];
/** The keys that this page has stored. A message that could not be stored is in this page alone. */
const storedKeys = new Set<string>();
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

/** Whether a message is in the browser's storage, so that it outlives the page. */
export function isStored(key: string): boolean {
  return storedKeys.has(key);
}

/** Whether the page was closed: it sends nothing more, unless the browser shows it again. */
export function isPageClosed(): boolean {
  return isClosing;
}

/** Leaves all messages to the next page of their sender, because this one is closed. */
export function leaveAll(): void {
  isClosing = true;
  for (const each of messages) write(each);
  unlockPage();
}

/** Removes a message: it is in the timeline, or the user does not want it any more. */
export function removeUnsent(key: string): void {
  dropTaken();
  store(messages.filter((each) => each.key !== key));
}

/**
 * Forgets the messages of a sender's user in all accounts and of all pages, so that the next user who signs in in this browser
 * can't read them. Those of other users wait for them. `sender`: null for those of all users.
 */
export function clearUnsent(sender: string | null): void {
  const isTheirs = (of: string) => sender === null || userOf(of) === userOf(sender);
  forgetAll(isTheirs);
  store(messages.filter((each) => !isTheirs(each.sender)));
}

/** Changes a message, if this page still has it, and if it is in the state `from`. */
export function change(key: string, to: Partial<UnsentMessage>, from?: UnsentMessage["state"]): void {
  dropTaken();
  const isMeant = (each: UnsentMessage) => each.key === key && (from ?? each.state) === each.state;
  if (messages.some(isMeant)) store(messages.map((each) => (isMeant(each) ? { ...each, ...to } : each)));
}

/** Replaces the messages, and stores what is new or changed. */
export function store(next: readonly UnsentMessage[]): void {
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

/** As `takeOverLeft`, and at once from pages that the browser has ended without their notice. Null when it is done already. */
export function takeOverEnded(sender: string | null): Promise<void> | null {
  const ended = findEndedPages();
  if (ended === null) {
    takeOverLeft(sender);
    return null;
  }
  return ended.then((pages) => {
    if (!isClosing) takeOverLeft(sender, pages);
  });
}

/**
 * Takes over the sender's messages of pages that were closed or have ended. Called for a new sender, whenever the page is
 * shown again, and regularly, by which other pages know that this one is alive. `ended`: pages that are known to have ended;
 * others have when they gave no sign of life, as one that is suspended and keeps its lock.
 */
export function takeOverLeft(sender: string | null, ended: ReadonlySet<string> = NONE): void {
  isClosing = false;
  dropTaken();
  for (const each of messages) write(each);
  const mine = new Set(messages.map(({ key }) => key));
  const isAwake = Date.now() - wokeAtMs > WAKE_MS;
  const isFree = (each: StoredMessage) =>
    !mine.has(each.key) && (ended.has(each.page) || (isLeft(each) && (isAwake || each.page === LEFT)));
  const free = [...(readStored()?.values() ?? [])].filter(isFree);
  const isKept = ({ writtenAtMs }: StoredMessage) => Date.now() - writtenAtMs <= KEEP_MS;
  for (const each of free) if (!isKept(each)) forget(each.key);
  const taken = free.filter((each) => each.sender === sender && isKept(each)).map((each) => toLate(each));
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
