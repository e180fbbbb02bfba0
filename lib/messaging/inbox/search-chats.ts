import "server-only";
import { Parameters } from "@/lib/events/store/event-conditions";
import { type ChatConditions, chatConditions } from "@/lib/messaging/inbox/chat-conditions";
import { readChatCursor } from "@/lib/messaging/inbox/chat-cursor";
import type { Context } from "@/lib/platform/context";
import type { SqlText } from "@/lib/platform/database/db";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { MAX_COUNTED_ROWS } from "@/lib/platform/lists/total-of";
import { searchedHandle } from "@/lib/recipients/handles/searched-handle";

const TIMEOUT_MS = 3000;
/**
 * Up to this many matches are found by the index and then sorted. For more matches, the chats are scanned in list order
 * until a page is full.
 */
const MAX_SORTED = 5000;
const LAST_AT = "infinity";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

interface WantedChats {
  ctx: Context;
  text: string;
  /** Further conditions of the list. */
  query: ChatConditions;
}

/** A search over an account's chats. */
interface ChatSearch extends WantedChats {
  cursor: string | null;
  limit: number;
}

/**
 * Returns the ids of chats with a handle or name that contains the text, most recent activity first. One or two letters
 * match only the beginning of a handle or name. For phone numbers only the digits count. Errors: parameter_invalid,
 * rate_limited.
 */
export async function searchChats({ cursor, limit, ...wanted }: ChatSearch): Promise<string[]> {
  const after = cursor === null ? null : readChatCursor(cursor);
  const statement = searchStatement(wanted, after?.at ?? LAST_AT, after?.id ?? LAST_ID, limit);
  const rows = await boundedSearch(wanted.ctx.account.id, TIMEOUT_MS, (tx) =>
    tx.runText<{ id: string }>(statement),
  );
  return rows.map(({ id }) => id);
}

/** The chats that a search finds, to be counted by `totalOf`. */
export function selectMatchingChats(wanted: WantedChats): SqlText {
  const { text, values = [] } = searchStatement(wanted, LAST_AT, LAST_ID, MAX_COUNTED_ROWS + 1);
  return { text: `select from (${text}) found_chats`, values };
}

function searchStatement(
  { ctx, text, query }: WantedChats,
  lastAt: string,
  lastId: string,
  limit: number,
): SqlText {
  const parameters = new Parameters();
  // The numbers of these parameters are part of searchSql.
  for (const value of [ctx.account.id, searchedHandle(text), text, lastAt, lastId, limit])
    parameters.add(value);
  const conditions = chatConditions(parameters, ctx, query);
  const listed = [IN_LIST, ...conditions].join(" and ");
  return { text: searchSql(listed), values: parameters.values };
}

/** SQL: pads like search_text. A text shorter than a piece matches only at the beginning. */
export const needle = (value: string) => `lpad(lower(${value}::text), greatest(length(${value}::text), 3))`;

// The `pieces` conditions are the only ones that match an index, so even a generic plan uses them, whatever it assumes
// about table sizes.
const FOUND = `
  (select p.chat_id as id from participants p, needle
    where not p.is_me and search_pieces(p.account_id, search_text(p.handle)) @> (select pieces from handle_pieces)
      and p.account_id is not distinct from $1 and position(needle.handle in search_text(p.handle)) > 0
    limit ${MAX_SORTED + 1})
  union
  (select c.id from chats c, needle
    where c.display_name is not null
      and search_pieces(c.account_id, search_text(c.display_name)) @> (select pieces from name_pieces)
      and c.account_id is not distinct from $1 and position(needle.name in search_text(c.display_name)) > 0
    limit ${MAX_SORTED + 1})`;

const IN_LIST = `c.account_id = $1
  and c.last_activity_at <= $4 and (c.last_activity_at < $4 or c.id < $5)`;

const searchSql = (inList: string) => `with needle as materialized (
    select ${needle("$2")} as handle, ${needle("$3")} as name
  ), handle_pieces as materialized (
    select search_pieces($1, handle) as pieces from needle
  ), name_pieces as materialized (
    select search_pieces($1, name) as pieces from needle
  ), found as materialized (${FOUND}
  ), many as materialized (
    select count(*) > ${MAX_SORTED} as are from found
  )
  select id from (
    (select c.id, c.last_activity_at from found f
      cross join lateral (select * from chats c where c.account_id = $1 and c.id = f.id offset 0) c
      where not (select are from many) and ${inList}
      order by c.last_activity_at desc, c.id desc limit $6)
    union all
    (select c.id, c.last_activity_at from chats c, needle
      where (select are from many) and ${inList}
        and (position(needle.name in search_text(c.display_name)) > 0 or exists (
          select from participants p
          where p.account_id = $1 and p.chat_id = c.id and not p.is_me
            and position(needle.handle in search_text(p.handle)) > 0))
      order by c.last_activity_at desc, c.id desc limit $6)
  ) page order by last_activity_at desc, id desc limit $6`;
