import "server-only";
import { searchCustomers } from "@/lib/messaging/inbox/search-customers";
import type { SearchQuery } from "@/lib/messaging/search/query/search-query";
import { KEY } from "@/lib/messaging/search/query/terms-query";
import { chatTerm, lineTerm, quoted } from "@/lib/messaging/search/words/message-terms";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";
import { searchedHandle } from "@/lib/recipients/handles/searched-handle";

/** A filter by person considers this many people, and this many chats with them. */
const MAX_HANDLES = 50;
const MAX_CHATS = 200;
const OUR_SIDE: ReadonlySet<string> = new Set(["me", "us", "line"]);

/** Where a search looks, from its filters. */
export interface SearchPlaces {
  /** Parts of the tsquery that must all match, like `termsQuery`. */
  terms: string[];
  /** The participants whose messages are wanted; null = any. */
  senders: string[] | null;
  /** Whether the account's own messages are wanted; null = both sides'. */
  isFromMe: boolean | null;
  /** Whether there are more people or chats than a filter considers. */
  isLimited: boolean;
}

interface Asked extends Pick<SearchQuery, "from" | "with" | "line"> {
  chatId: string | undefined;
  handle: string | undefined;
}

/** Finds the chats, lines and people that the filters name; null if there is none. Errors: parameter_invalid, rate_limited. */
export async function findPlaces(
  ctx: Context,
  { from, line, chatId, handle, with: partner }: Asked,
): Promise<SearchPlaces | null> {
  const places: SearchPlaces = { terms: [], senders: null, isFromMe: null, isLimited: false };
  if (chatId !== undefined) places.terms.push(anyOf([chatTerm(chatId)]));
  if (line !== null) {
    const lines = await findLines(ctx, line);
    if (lines.length === 0) return null;
    places.terms.push(anyOf(lines.map(lineTerm)));
  }
  if (handle !== undefined && (await addPeople(ctx, places, [handle])) === null) return null;
  if (partner !== null && (await addPeople(ctx, places, await findSome(ctx, places, partner))) === null)
    return null;
  if (from === null) return places;
  if (OUR_SIDE.has(from.toLowerCase())) return { ...places, isFromMe: true };
  const members = await addPeople(ctx, places, await findSome(ctx, places, from));
  return members === null ? null : { ...places, senders: members };
}

/** The handles of the people whose handle or name contains a text, at most MAX_HANDLES. */
async function findSome(ctx: Context, places: SearchPlaces, text: string): Promise<string[]> {
  const handles = await findHandles(ctx, text);
  if (handles.length > MAX_HANDLES) places.isLimited = true;
  return handles.slice(0, MAX_HANDLES);
}

/** Narrows the places to the chats with some people. Returns the participants that they are there; null if none. */
async function addPeople(
  ctx: Context,
  places: SearchPlaces,
  handles: readonly string[],
): Promise<string[] | null> {
  const found = await findMembers(ctx, handles);
  if (found.length > MAX_CHATS) places.isLimited = true;
  const members = found.slice(0, MAX_CHATS);
  if (members.length === 0) return null;
  places.terms.push(anyOf(members.map(({ chat_id }) => chatTerm(chat_id))));
  return members.map(({ id }) => id);
}

function anyOf(terms: readonly string[]): string {
  return `(${[...new Set(terms)].map((term) => quoted(KEY + term)).join(" | ")})`;
}

const FIND_SEARCHED_LINES = plannedStatement(
  "find-searched-lines",
  `select id from lines where account_id = :accountId and (id::text = :text or :part <> '' and position(:part in phone_number) > 0
    or position(lower(:text) in lower(label)) > 0)`,
);

async function findLines(ctx: Context, text: string): Promise<string[]> {
  const part = searchedHandle(text).replaceAll(/\D/g, "");
  const rows = await sql.run(FIND_SEARCHED_LINES, {
    accountId: ctx.account.id,
    text: text.toLowerCase(),
    part,
  });
  return rows.map(({ id }) => id);
}

const FIND_SEARCHED_NAMES = plannedStatement(
  "find-searched-names",
  `select k.handle from (
    select account_id, handle, name from contacts
    where name is not null and search_pieces(account_id, search_text(name)) @> search_pieces(:accountId, :needle) offset 0
  ) k where k.account_id = :accountId and position(:needle in search_text(k.name)) > 0
  limit ${MAX_HANDLES + 1}`,
);

/** The handles of the people whose handle or name contains a text, more than MAX_HANDLES if there are. */
async function findHandles(ctx: Context, text: string): Promise<string[]> {
  const part = searchedHandle(text);
  const isNumber = /^\d+$/.test(part);
  const complete = isNumber ? `+${part}` : normalizeHandle(text);
  const found = await searchCustomers(ctx, { part, handle: complete, limit: MAX_HANDLES + 1 });
  const named = await sql.run(FIND_SEARCHED_NAMES, {
    accountId: ctx.account.id,
    needle: text.toLowerCase().padStart(3),
  });
  return [...new Set([...found, ...named].map(({ handle }) => handle))];
}

const FIND_SEARCHED_MEMBERS = plannedStatement(
  "find-searched-members",
  `select id, chat_id from participants
  where account_id = :accountId and handle = any(:handles::text[]) and not is_me
  order by id desc limit ${MAX_CHATS + 1}`,
);

async function findMembers(ctx: Context, handles: readonly string[]) {
  return sql.run(FIND_SEARCHED_MEMBERS, { accountId: ctx.account.id, handles });
}
