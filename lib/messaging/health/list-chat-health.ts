import "server-only";
import { z } from "zod";
import { ChatDriver, chatDrivers } from "@/lib/messaging/health/chat-drivers";
import { countChatsByHealth, HealthCounts } from "@/lib/messaging/health/count-chats-by-health";
import { needle } from "@/lib/messaging/inbox/search-chats";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countSql, ListTotal, MAX_COUNTED_ROWS, totalOf } from "@/lib/platform/lists/total-of";
import { HealthStatus } from "@/lib/platform/prisma/enums";
import { maxUnits } from "@/lib/platform/text/max-units";
import { searchedHandle } from "@/lib/recipients/handles/searched-handle";

const TIMEOUT_MS = 3000;
/** The most matches of a search that are sorted. */
const MAX_SORTED = 5000;
/** Risk factors are computed from this many of a chat's last messages. */
const COUNTED_MESSAGES = 20;

const WatchedChat = z.object({
  chat_id: z.uuid(),
  line_id: z.uuid(),
  line: z.string(),
  is_group: z.boolean(),
  recipient: z.string(),
  status: z.enum(HealthStatus),
  /** Unanswered sends in 24 hours; 8 = 8 or more. */
  unanswered: z.int(),
  drivers: z.array(ChatDriver),
  health_updated_at: z.iso.datetime(),
  last_activity_at: z.iso.datetime(),
});

export type WatchedChat = z.infer<typeof WatchedChat>;

/** The filters of the board. */
const boardFilterFields = {
  /** Defaults to the worst status that exists. */
  status: z.enum(HealthStatus).optional(),
  line_id: z.uuid().optional(),
  /** Part of a handle, or its beginning for one or two characters. Formatting of phone numbers is ignored. */
  search: z.string().trim().check(maxUnits(100)).optional(),
};

export const ListChatHealth = contract({
  summary: "List chats by health",
  tag: "Chats",
  right: "view_chats",
  query: z.object({
    ...boardFilterFields,
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(1000, 50),
  }),
  returns: z.object({
    /** The health status of the listed chats. */
    status: z.enum(HealthStatus),
    counts: HealthCounts,
    chats: z.array(WatchedChat),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

const RECIPIENTS = `(select string_agg(p.handle, ', ' order by p.id) from participants p
  where p.account_id = :accountId and p.chat_id = c.id and not p.is_me)`;

// Unhealthy chats have an index by the time of the change. Healthy chats use the index of the chat list.
type SortColumn = "last_activity_at" | "health_updated_at";

const OF_STATUS = `c.account_id = :accountId and c.health_status = :status and c.left_at is null
  and (:lineId::uuid is null or c.line_id = :lineId)`;

function pageCondition(sorted: SortColumn): string {
  return `${OF_STATUS} and (:at::timestamptz is null or (c.${sorted}, c.id) < (:at, :id))`;
}

/** SQL: the chats of a page without a search, read from an index in list order. */
function listedSql(sorted: SortColumn): string {
  return `select c.* from chats c
    where ${pageCondition(sorted)} order by c.${sorted} desc, c.id desc limit :limit`;
}

/**
 * SQL: the chats that meet a condition and whose handles contain a text, as in `searchChats`: few matches are found by
 * the index of handles and then sorted, and for many the chats are read in list order until the page is full.
 */
function foundSql(sorted: SortColumn, condition: string, limit: string): string {
  const order = `order by c.${sorted} desc, c.id desc limit ${limit}`;
  return `with needle as materialized (
      select ${needle(":searched")} as handle
    ), handle_pieces as materialized (
      select search_pieces(:accountId, handle) as pieces from needle
    ), found as materialized (
      select p.chat_id as id from participants p, needle
      where not p.is_me and search_pieces(p.account_id, search_text(p.handle)) @> (select pieces from handle_pieces)
        and p.account_id is not distinct from :accountId and position(needle.handle in search_text(p.handle)) > 0
      limit ${MAX_SORTED + 1}
    ), many as materialized (
      select count(*) > ${MAX_SORTED} as are from found
    )
    select c.* from (
      (select c.* from (select distinct id from found) f
        cross join lateral (select * from chats c where c.account_id = :accountId and c.id = f.id offset 0) c
        where not (select are from many) and ${condition} ${order})
      union all
      (select c.* from chats c
        where (select are from many) and ${condition} and exists (
          select from participants p, needle
          where p.account_id = :accountId and p.chat_id = c.id and not p.is_me
            and position(needle.handle in search_text(p.handle)) > 0)
        ${order})
    ) c ${order}`;
}

/** SQL: what the board shows of the chats of a page. */
function pageSql(sorted: SortColumn, page: string): string {
  return `select c.id as chat_id, c.line_id, l.phone_number as line, c.is_group, c.health_status as status,
      coalesce(c.display_name, c.recipient_handle, ${RECIPIENTS}, '') as recipient,
      c.health_updated_at, c.last_activity_at, c.${sorted} as sorted_at, m.*,
      (select count(*)::int from unnest(c.unanswered) u where u > :now::timestamptz - interval '24 hours') as "unanswered!"
    from (${page}) c
    join lines l on l.account_id = :accountId and l.id = c.line_id
    cross join lateral (
      with recent as (
        select is_from_me, parts->0->>'value' as text from messages
        where account_id = :accountId and chat_id = c.id and deleted_at is null
        order by position desc limit ${COUNTED_MESSAGES}
      )
      select count(*) filter (where is_from_me)::int as sent, count(*) filter (where not is_from_me)::int as received,
        coalesce((select max(times) from (
          select count(*)::int as times from recent where is_from_me and text is not null group by text
        ) same), 0) as repeated
      from recent
    ) m
    order by sorted_at desc, c.id desc`;
}

function searchSql(sorted: SortColumn): string {
  return pageSql(sorted, foundSql(sorted, pageCondition(sorted), ":limit"));
}

function countFoundSql(sorted: SortColumn): string {
  return countSql(`select from (${foundSql(sorted, OF_STATUS, String(MAX_COUNTED_ROWS + 1))}) found_chats`);
}

const HEALTHY = {
  list: plannedStatement("list-healthy-chats", pageSql("last_activity_at", listedSql("last_activity_at"))),
  search: plannedStatement("search-healthy-chats", searchSql("last_activity_at")),
  countFound: plannedStatement("count-found-healthy-chats", countFoundSql("last_activity_at")),
};

const UNHEALTHY = {
  list: plannedStatement(
    "list-unhealthy-chats",
    pageSql("health_updated_at", listedSql("health_updated_at")),
  ),
  search: plannedStatement("search-unhealthy-chats", searchSql("health_updated_at")),
  countFound: plannedStatement("count-found-unhealthy-chats", countFoundSql("health_updated_at")),
};

const COUNT_CHATS = plannedStatement(
  "count-chats-of-status",
  countSql(`select from chats c where ${OF_STATUS}`),
);

const CursorKey = z.tuple([z.iso.datetime(), z.uuid()]);

/**
 * Returns the chats with one health status, most recently changed first (healthy chats: most recently active first),
 * and the number of chats with each status. Two statements. Errors: parameter_invalid, rate_limited.
 */
export async function listChatHealth(ctx: Context, { query }: Pick<Input<typeof ListChatHealth>, "query">) {
  const { line_id: lineId, search, cursor, limit } = query;
  const counts = await countChatsByHealth(ctx, lineId ?? null);
  const worst = HealthCounts.keyof().options.find((status) => counts[status] > 0);
  const status = query.status ?? worst ?? "HEALTHY";

  const statements = status === "HEALTHY" ? HEALTHY : UNHEALTHY;
  const accountId = ctx.account.id;
  const matching = { accountId, status, lineId };
  const [at, id] = cursor === undefined ? [] : decodeCursor(cursor, CursorKey);
  const listed = { ...matching, at, id, limit: limit + 1, now: ctx.now };
  const found = search ? { searched: searchedHandle(search) } : null;
  const rows =
    found === null
      ? await sql.run(statements.list, listed)
      : await boundedSearch(accountId, TIMEOUT_MS, (tx) =>
          tx.run(statements.search, { ...listed, ...found }),
        );
  const page = toPage(rows, limit, ({ chat_id, sorted_at }) => [sorted_at.toISOString(), chat_id]);

  const total = await totalOf(ctx, page, {
    cursor,
    count: (tx) =>
      found === null
        ? tx.run(COUNT_CHATS, matching)
        : tx.run(statements.countFound, { ...matching, ...found }),
  });
  return { status, counts, chats: page.items.map(toWatchedChat), next_cursor: page.nextCursor, total };
}

function toWatchedChat(row: RowOf<"list-healthy-chats">): WatchedChat {
  const { chat_id, line_id, line, is_group, recipient, status, unanswered } = row;
  return {
    ...{ chat_id, line_id, line, is_group, recipient, status, unanswered },
    drivers: chatDrivers({ ...row, isOptedOut: status === "OPTED_OUT" }),
    health_updated_at: row.health_updated_at.toISOString(),
    last_activity_at: row.last_activity_at.toISOString(),
  };
}

/**
 * The chats with one health status as CSV. Without a status in the query, every page uses the worst status that exists.
 */
export const exportChatHealth = exportOf(ListChatHealth, listChatHealth, {
  summary: "Export chats by health as CSV",
  filename: "chat-health.csv",
  pageRows: 1000,
  itemsOf: (page) => page.chats,
  fixedBy: ({ status }) => ({ status }),
  columns: {
    chat_id: ({ chat_id }) => chat_id,
    line: ({ line }) => line,
    recipient: ({ recipient }) => recipient,
    status: ({ status }) => status,
    unanswered_24h: ({ unanswered }) => unanswered,
    drivers: ({ drivers }) => drivers.map(({ key, metric }) => `${key}: ${metric}`).join("; "),
    health_updated_at: ({ health_updated_at }) => health_updated_at,
    last_activity_at: ({ last_activity_at }) => last_activity_at,
  },
});
