import "server-only";
import { z } from "zod";
import { LAST_POSITION, Position } from "@/lib/messaging/messages/message-position";
import { findMessages } from "@/lib/messaging/search/query/find-messages";
import { findPlaces } from "@/lib/messaging/search/query/find-places";
import { markSentence } from "@/lib/messaging/search/query/mark-sentence";
import { readFoundMessages } from "@/lib/messaging/search/query/read-found-messages";
import { readSearchQuery, type SearchQuery } from "@/lib/messaging/search/query/search-query";
import { needlesOf, termsQuery } from "@/lib/messaging/search/query/terms-query";
import { searchableTexts } from "@/lib/messaging/search/words/searchable-texts";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { cursorParameter, decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { maxUnits } from "@/lib/platform/text/max-units";
import { TimeZone } from "@/lib/platform/time/time-zone";

/** A message that a search found. */
export const FoundMessage = z.object({
  id: z.uuid(),
  chat_id: z.uuid(),
  line_id: z.uuid(),
  is_from_me: z.boolean(),
  /** The handle of the sender; null for a person who was erased from a group. */
  from: z.string().nullable(),
  created_at: z.iso.datetime(),
  /** The group's name, the recipient's name, or the handles of the other members. */
  chat_name: z.string(),
  /** The sentence with the found words, as plain text in pieces. Their texts together are the sentence. */
  sentence: z.array(z.object({ text: z.string(), is_match: z.boolean() })),
});

export type FoundMessage = z.infer<typeof FoundMessage>;

export const SearchMessageViews = contract({
  summary: "Search messages by their words",
  tag: "Messages",
  right: "view_chats",
  query: z.object({
    /** Words, "phrases", `from:`, `with:`, `line:`, `after:` and `before:`. */
    q: z.string().trim().min(1).check(maxUnits(300)),
    /** Only messages of this chat. */
    chat_id: z.uuid().optional(),
    /** Only messages of the chats with this handle. */
    handle: z.string().check(maxUnits(320)).optional(),
    /** The time zone of the dates. */
    zone: TimeZone.default("UTC"),
    cursor: cursorParameter,
    limit: limitParameter(100, 30),
  }),
  returns: z.object({
    messages: z.array(FoundMessage),
    next_cursor: z.string().nullable(),
    /** `off`: the account's search is off. `catching_up`: earlier messages are still being added. */
    state: z.enum(["on", "catching_up", "off"]),
    /** Set if the people of `from:` or `handle` have more chats than are searched: only the newest 200 are, of 50 people. */
    is_limited: z.literal(true).optional(),
  }),
  status: 200,
  errors: ["parameter_invalid", "rate_limited"],
});

const CursorKey = z.tuple([Position]);

/**
 * Finds the account's messages by their words, newest first, each with the sentence that was found. A message is found
 * within a minute or two of being stored. Errors: parameter_invalid for a search without a word, a date that does not
 * exist, or one that takes too long, rate_limited.
 */
export async function searchMessageViews(
  ctx: Context,
  { query }: Pick<Input<typeof SearchMessageViews>, "query">,
) {
  const state = await readState(ctx);
  const nothing = { messages: [], next_cursor: null, state };
  if (state === "off") return nothing;
  const asked = readSearchQuery(query.q);
  const places = await findPlaces(ctx, { ...asked, chatId: query.chat_id, handle: query.handle });
  if (places === null) return nothing;
  const terms = [...termsQuery(asked.texts), ...places.terms];
  if (terms.length === 0)
    fail("parameter_invalid", "q must contain a word, or from:, with: or line: with a value");

  const beforePosition =
    query.cursor === undefined ? LAST_POSITION : decodeCursor(query.cursor, CursorKey)[0];
  const { after, before } = asked;
  const { senders, isFromMe, isLimited } = places;
  const conditions = {
    senders,
    isFromMe,
    terms: terms.join(" & "),
    after,
    before,
    zone: query.zone,
    beforePosition,
  };
  const found = await findMessages(ctx, { ...conditions, limit: query.limit + 1 });
  const page = toPage(found, query.limit, ({ position }) => [position]);
  const ids = page.items.map(({ message_id }) => message_id);
  return {
    messages: await toFoundMessages(ctx, ids, asked),
    next_cursor: page.nextCursor,
    state,
    ...(isLimited && { is_limited: true as const }),
  };
}

const SEARCH_STATE = plannedStatement(
  "search-state",
  `select a.message_search as is_on, p.events_to is null or p.messages_from is not null as "is_catching_up!"
  from accounts a left join message_search_progress p on p.account_id = :accountId where a.id = :accountId`,
);

async function readState(ctx: Context): Promise<"on" | "catching_up" | "off"> {
  const [row] = await sql.run(SEARCH_STATE, { accountId: ctx.account.id });
  if (row?.is_on !== true) return "off";
  return row.is_catching_up ? "catching_up" : "on";
}

async function toFoundMessages(
  ctx: Context,
  ids: readonly string[],
  { texts }: SearchQuery,
): Promise<FoundMessage[]> {
  const needles = needlesOf(texts);
  const rows = await readFoundMessages(ctx.account.id, ids);
  return rows.map(({ parts, options, created_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    sentence: markSentence(searchableTexts({ parts, options }), needles),
  }));
}
