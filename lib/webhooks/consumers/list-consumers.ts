import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { cursorParameter, decodeCursor, limitParameter, nextCursor, toPage } from "@/lib/platform/lists/page";
import {
  CONSUMER_COLUMNS,
  Consumer,
  joinLag,
  MAX_COUNTED_IN_LIST,
  toConsumer,
} from "@/lib/webhooks/consumers/consumer";

export const ListConsumers = contract({
  summary: "List consumers",
  description: "Returns the consumers of the account by name. A Trunkline extension.",
  tag: "Webhooks",
  right: "view_webhooks",
  query: z.object({ limit: limitParameter(50, 50), cursor: cursorParameter }),
  returns: z.object({
    consumers: z.array(Consumer).describe("Consumers, by name."),
    next_cursor: nextCursor,
  }),
  status: 200,
  errors: ["parameter_invalid"],
  extension: true,
});

const CursorKey = z.tuple([z.string()]);

const LIST_CONSUMERS = plannedStatement(
  "list-consumers",
  `select ${CONSUMER_COLUMNS} from (
    select * from event_consumers
    where account_id = :accountId and (:after::text is null or name > :after) order by name limit :limit
  ) s ${joinLag(MAX_COUNTED_IN_LIST)} order by s.name`,
);

/** A page of the account's consumers, by name. Errors: parameter_invalid. */
export async function listConsumers(
  ctx: Context,
  { query: { limit, cursor } }: Pick<Input<typeof ListConsumers>, "query">,
): Promise<z.infer<typeof ListConsumers.returns>> {
  const after = cursor === undefined ? null : decodeCursor(cursor, CursorKey)[0];
  const rows = await sql.run(LIST_CONSUMERS, { accountId: ctx.account.id, after, limit: limit + 1 });
  const page = toPage(rows, limit, ({ name }) => [name]);
  return { consumers: page.items.map((row) => toConsumer(row, ctx.now)), next_cursor: page.nextCursor };
}
