import { blockId, cardId } from "@/scripts/cli/conform/removals";
import type { Run } from "@/scripts/cli/conform/run";
import { idAt, textAt, valueAt } from "@/scripts/cli/conform/value-at";

const PAGE = 100;
const MAX_PAGES = 20;
/** The messages of a chat are read as far back as a server could confuse them with a new one. */
const MAX_MESSAGE_PAGES = 3;

/** A list of what the run could remove by mistake. */
interface Existing {
  op: string;
  items: string;
  /** The ID by which the guard knows an item. */
  idOf: (item: unknown) => string | undefined;
  isPaged: boolean;
}

const withId = (item: unknown) => textAt(item, "id");
const LISTS: readonly Existing[] = [
  { op: "GET /v3/webhook-subscriptions", items: "subscriptions", idOf: withId, isPaged: true },
  { op: "GET /v3/payment_requests", items: "data", idOf: withId, isPaged: true },
  { op: "GET /v3/scheduled_messages", items: "scheduled_messages", idOf: withId, isPaged: true },
  {
    ...{ op: "GET /v3/consumers", items: "consumers", isPaged: true },
    idOf: (item) => textAt(item, "name"),
  },
  {
    ...{ op: "GET /v3/blocked_handles", items: "blocked_handles", isPaged: false },
    idOf: (item) => mapped(textAt(item, "handle"), blockId),
  },
  {
    ...{ op: "GET /v3/contact_card", items: "contact_cards", isPaged: false },
    idOf: (item) => mapped(textAt(item, "phone_number"), cardId),
  },
];

/** The server does not respond: what exists is not known. */
class Unread extends Error {}

const mapped = (text: string | undefined, toId: (text: string) => string) =>
  text === undefined ? undefined : toId(text);

/** Notes what exists: nothing that the run does may change it, also when a server returns it as new. */
export function protectExisting(run: Run): Promise<void> {
  return untilUnread(() => protectLists(run));
}

/** Notes the messages of the chats with the recipient. */
export function protectMessages(run: Run, chat: { line: string; recipient: string }): Promise<void> {
  return untilUnread(() => protectChats(run, chat));
}

async function untilUnread(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Unread)) throw error;
  }
}

async function protectLists(run: Run): Promise<void> {
  for (const { op, items, idOf, isPaged } of LISTS.filter((one) => run.operations.has(one.op))) {
    const pages = isPaged ? MAX_PAGES : 1;
    for await (const item of itemsOf(run, { op, items, pages })) run.guard.protect(idOf(item) ?? "");
  }
}

async function protectChats(run: Run, { line, recipient }: { line: string; recipient: string }) {
  const [chats, op] = ["GET /v3/chats", "GET /v3/chats/{chatId}/messages"];
  if (!run.operations.has(chats) || !run.operations.has(op)) return;
  const query = `from=${encodeURIComponent(line)}&to=${encodeURIComponent(recipient)}&limit=${PAGE}`;
  const { json } = await run.call(chats, { query });
  const found = valueAt(json, "chats");
  for (const chat of Array.isArray(found) ? found : []) {
    const chatId = idAt(chat, "id");
    if (chatId === undefined || run.guard.peopleOf(chat) !== "named") continue;
    const messages = itemsOf(run, { op, items: "messages", pages: MAX_MESSAGE_PAGES, chatId });
    for await (const message of messages) run.guard.protect(textAt(message, "id") ?? "");
  }
}

interface Read {
  op: string;
  items: string;
  pages: number;
  chatId?: string;
}

async function* itemsOf(run: Run, { op, items, pages, chatId }: Read): AsyncGenerator<unknown> {
  const path = chatId === undefined ? {} : { path: { chatId } };
  let next = "";
  let count = 0;
  for (let page = 0; page < pages; page++) {
    const call = { ...path, ...(pages > 1 && { query: `limit=${PAGE}${next}` }) };
    const { json, status } = await run.call(op, call);
    if (status === 0) throw new Unread();
    const found = valueAt(json, items);
    if (!Array.isArray(found) || found.length === 0) return;
    yield* found;
    count += found.length;
    const cursor = textAt(json, "next_cursor") ?? "";
    if (cursor !== "") next = `&cursor=${encodeURIComponent(cursor)}`;
    else if (valueAt(json, "has_more") === true) next = `&offset=${count}`;
    else return;
  }
}
