import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countSql, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { maxUnits } from "@/lib/platform/text/max-units";
import { selectReplays, WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

export const ListReplays = contract({
  summary: "List replays",
  tag: "Webhooks",
  right: "view_webhooks",
  query: z.object({
    subscription_id: z.uuid().optional(),
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(100, 20),
  }),
  returns: z.object({
    replays: z.array(WebhookReplay),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

const MATCHING =
  "account_id = :accountId and (:subscriptionId::uuid is null or subscription_id = :subscriptionId)";

const LIST_REPLAYS = statement(
  "list-replays",
  `select id from webhook_replays where ${MATCHING} and (:after::uuid is null or id < :after)
  order by id desc limit :limit`,
);

const COUNT_REPLAYS = plannedStatement(
  "count-replays",
  countSql(`select from webhook_replays where ${MATCHING}`),
);

const CursorKey = z.tuple([z.uuid()]);

/** The account's replays, or those of one subscription, newest first. Errors: parameter_invalid. */
export async function listReplays(ctx: Context, { query }: Pick<Input<typeof ListReplays>, "query">) {
  const { subscription_id, cursor, limit } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor, CursorKey)[0];
  const matching = { accountId: ctx.account.id, subscriptionId: subscription_id };
  const rows = await sql.run(LIST_REPLAYS, { ...matching, after, limit: limit + 1 });

  const page = toPage(rows, limit, ({ id }) => [id]);
  const ids = page.items.map(({ id }) => id);
  const [replays, total] = await Promise.all([
    selectReplays(sql, ctx.account.id, ids),
    totalOf(ctx, page, { cursor, count: (tx) => tx.run(COUNT_REPLAYS, matching) }),
  ]);
  return { replays, next_cursor: page.nextCursor, total };
}

/** Replays as CSV. */
export const exportReplays = exportOf(ListReplays, listReplays, {
  summary: "Export replays as CSV",
  filename: "replays.csv",
  pageRows: 500,
  itemsOf: (page) => page.replays,
  columns: {
    replay_id: ({ id }) => id,
    subscription_id: ({ subscription_id }) => subscription_id,
    selection: ({ selection }) => JSON.stringify(selection),
    status: ({ state }) => state,
    reason: ({ reason }) => reason,
    events: ({ total }) => total,
    delivered: ({ delivered }) => delivered,
    failed: ({ failed }) => failed,
    skipped: ({ skipped }) => skipped,
    retrying: ({ retrying }) => retrying,
    created_by: ({ created_by }) => created_by,
    created_at: ({ created_at }) => created_at,
    ended_at: ({ ended_at }) => ended_at,
  },
});
