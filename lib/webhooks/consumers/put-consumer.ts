import "server-only";
import { z } from "zod";
import { findOwnLines } from "@/lib/identity/accounts/find-own-lines";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import {
  Consumer,
  ConsumerParams,
  ConsumerPosition,
  consumerFields,
  toConsumer,
} from "@/lib/webhooks/consumers/consumer";
import { failUnknown, selectConsumer } from "@/lib/webhooks/consumers/find-consumer";
import { resolvePosition } from "@/lib/webhooks/consumers/resolve-position";

/** The number of consumers that an account can have. */
export const MAX_CONSUMERS = 50;

export const PutConsumer = contract({
  summary: "Create a consumer",
  description: `Creates a consumer, a named position in the event log from which a program without a public URL polls events. A repeat with the same body changes nothing; another body is 409. An account can have ${MAX_CONSUMERS} consumers. A consumer that is not polled for 30 days is deleted. A Trunkline extension.`,
  tag: "Webhooks",
  right: "manage_webhooks",
  // Like the event stream, a consumer only reads.
  params: ConsumerParams,
  body: z
    .object({
      ...consumerFields,
      start: ConsumerPosition.default("now").describe(
        'Where to start: `"now"`, `"oldest"`, the ID of the last event that you have, or a time in ISO 8601. Defaults to `"now"`.',
      ),
    })
    .meta({ examples: [{ types: ["message.received"], start: "now" }] }),
  bodyOptional: true,
  returns: Consumer,
  status: 200,
  errors: [
    "parameter_invalid",
    "phone_not_e164",
    "line_not_permitted",
    "state_conflict",
    "events_expired",
    "service_unavailable",
  ],
  extension: true,
});

const LOCK_ACCOUNT_TO_ADD_CONSUMER = plannedStatement(
  "lock-account-to-add-consumer",
  "select from accounts where id = :accountId for no key update",
);

const COUNT_CONSUMERS = plannedStatement(
  "count-consumers",
  "select count(*)::int from event_consumers where account_id = :accountId",
);

const CREATE_CONSUMER = plannedStatement(
  "create-consumer",
  `insert into event_consumers
    (account_id, name, id, types, phone_numbers, version, start, position, delivered_through, active_at, created_at)
  values (:accountId, :name, :id, :types, :phoneNumbers, :version, :start, :position::bigint, :position::bigint, :now, :now)`,
);

const MARK_CONSUMER_ACTIVE = plannedStatement(
  "mark-consumer-active",
  "update event_consumers set active_at = :now, warned_at = null where account_id = :accountId and name = :name",
);

type Body = Input<typeof PutConsumer>["body"];

/**
 * Creates a consumer, or returns the one that was created with the same body. Of two concurrent requests, one creates
 * it. Errors: line_not_permitted, state_conflict for another body or too many consumers, events_expired and
 * parameter_invalid for `start`.
 */
export async function putConsumer(
  ctx: Context,
  { params: { name }, body }: Input<typeof PutConsumer>,
): Promise<Consumer> {
  await findOwnLines(ctx, body.phone_numbers);
  const row = await transaction(async (tx) => {
    await tx.run(LOCK_ACCOUNT_TO_ADD_CONSUMER, { accountId: ctx.account.id });
    const existing = await selectConsumer(tx, ctx.account.id, name);
    if (existing === null) await createConsumer(tx, ctx, name, body);
    else await renew(tx, ctx, existing, body);
    return (await selectConsumer(tx, ctx.account.id, name)) ?? failUnknown(name);
  });
  return toConsumer(row, ctx.now);
}

async function createConsumer(tx: Sql, ctx: Context, name: string, body: Body): Promise<void> {
  const [row] = await tx.run(COUNT_CONSUMERS, { accountId: ctx.account.id });
  if ((row?.count ?? 0) >= MAX_CONSUMERS) {
    fail("state_conflict", `an account can have at most ${MAX_CONSUMERS} consumers: delete an unused one`);
  }
  await tx.run(CREATE_CONSUMER, {
    accountId: ctx.account.id,
    name,
    id: newId(ctx.now.getTime()),
    types: body.types,
    phoneNumbers: body.phone_numbers,
    version: body.version,
    start: body.start,
    position: await resolvePosition(tx, ctx, body.start),
    now: ctx.now,
  });
  await recordAudit(tx, ctx, "consumer.created", "consumer", name, body);
}

async function renew(tx: Sql, ctx: Context, existing: RowOf<"find-consumer">, body: Body): Promise<void> {
  const same =
    existing.version === body.version &&
    existing.start === body.start &&
    isSame(existing.types, body.types) &&
    isSame(existing.phone_numbers, body.phone_numbers);
  if (!same) {
    fail(
      "state_conflict",
      `the consumer "${existing.name}" has other settings: delete it or use another name`,
    );
  }
  await tx.run(MARK_CONSUMER_ACTIVE, { accountId: ctx.account.id, name: existing.name, now: ctx.now });
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
