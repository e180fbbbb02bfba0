import "server-only";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { ApiError, fail } from "@/lib/platform/errors/errors";
import { CONSUMER_COLUMNS, joinLag, MAX_COUNTED } from "@/lib/webhooks/consumers/consumer";

const FIND_CONSUMER = statement(
  "find-consumer",
  `select ${CONSUMER_COLUMNS} from event_consumers s ${joinLag(MAX_COUNTED)}
  where s.account_id = :accountId and s.name = :name`,
);

/** A consumer of the account with its lag; null without one. */
export async function selectConsumer(
  on: Sql,
  accountId: string,
  name: string,
): Promise<RowOf<"find-consumer"> | null> {
  const [row] = await on.run(FIND_CONSUMER, { accountId, name });
  return row ?? null;
}

/** A consumer of the account with its lag. Errors: consumer_not_found. */
export async function findConsumer(ctx: Context, name: string): Promise<RowOf<"find-consumer">> {
  return (await selectConsumer(sql, ctx.account.id, name)) ?? failUnknown(name);
}

/** Fails because the account has no consumer with this name. Errors: consumer_not_found. */
export function failUnknown(name: string): never {
  return fail("consumer_not_found", `create "${name}" with PUT /v3/consumers/${name}`);
}

const OLDEST_EVENT = statement(
  "oldest-account-event",
  `select min(seq) as seq from events where account_id = :accountId and not internal`,
);

/** Fails because events after a position are no longer in the log. Errors: events_expired, with the oldest event. */
export async function failExpired(on: Sql, accountId: string, what: string): Promise<never> {
  const [row] = await on.run(OLDEST_EVENT, { accountId });
  const detail = `${what}: seek to "oldest" or to an event that the log has`;
  throw new ApiError("events_expired", detail, undefined, undefined, { oldest: row?.seq ?? null });
}
