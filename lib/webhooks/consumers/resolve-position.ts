import "server-only";
import { z } from "zod";
import { EVENTS } from "@/lib/events/retention/event-partitions";
import { timeBlock } from "@/lib/events/store/event-blocks";
import { lastFinalEvent } from "@/lib/events/tail/last-final-event";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { listPartitions } from "@/lib/platform/database/partitions";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { drainSignal } from "@/lib/platform/instances/drain";
import type { ConsumerPosition } from "@/lib/webhooks/consumers/consumer";
import { failExpired } from "@/lib/webhooks/consumers/find-consumer";

const DAY_MS = 86_400_000;

const SEQ_OF_EVENT = plannedStatement(
  "consumer-seq-of-event",
  "select seq from events where account_id = :accountId and id = :id and not internal",
);

const FIRST_SEQ_SINCE = plannedStatement(
  "consumer-first-seq-since",
  `select min(seq) as seq from events where account_id = :accountId and not internal
    and ${timeBlock("created_at")} >= ${timeBlock(":at::timestamptz")} and created_at >= :at`,
);

const FIRST_SEQ_OF_LOG = plannedStatement(
  "first-seq-of-log",
  "select min(seq) as seq from events where seq >= :from::bigint",
);

/**
 * The number of the log after which a position begins. In a transaction, the log keeps the events after it until the
 * transaction ends. Errors: parameter_invalid for an unknown event, events_expired, service_unavailable when the
 * end of the log is unknown because a transaction does not end.
 */
export async function resolvePosition(tx: Sql, ctx: Context, after: ConsumerPosition): Promise<number> {
  if (after === "oldest") return 0;
  if (after === "now") return readNow(tx);
  if (/^\d+$/.test(after)) return resolveNumber(tx, ctx, Number(after));
  if (z.uuid().safeParse(after).success) return resolveEvent(tx, ctx, after);
  return resolveTime(tx, ctx, new Date(after));
}

async function readNow(tx: Sql): Promise<number> {
  const last = await lastFinalEvent(tx, drainSignal());
  return last ?? fail("service_unavailable", "the end of the event log is being written: try again");
}

async function resolveEvent(tx: Sql, ctx: Context, id: string): Promise<number> {
  const [row] = await tx.run(SEQ_OF_EVENT, { accountId: ctx.account.id, id });
  if (row === undefined) return fail("parameter_invalid", "the account's log has no event with this ID");
  // After this, no event can appear before it any more.
  return Math.min(await readNow(tx), Number(row.seq));
}

// The number of a program may be that of an event of which nothing is left to show that it existed.
async function resolveNumber(tx: Sql, ctx: Context, after: number): Promise<number> {
  const [partition] = await listPartitions(tx, EVENTS);
  const [row] = await tx.run(FIRST_SEQ_OF_LOG, { from: partition?.from ?? "0" });
  if (after > 0 && row?.seq != null && after + 1 < Number(row.seq)) {
    return failExpired(tx, ctx.account.id, `the log no longer has all events after ${after}`);
  }
  const now = await readNow(tx);
  if (after > now) return fail("parameter_invalid", `the log ends at event ${now}`);
  return after;
}

async function resolveTime(tx: Sql, ctx: Context, at: Date): Promise<number> {
  const days = env().EVENT_LOG_DAYS;
  if (at.getTime() < ctx.now.getTime() - days * DAY_MS) {
    return failExpired(tx, ctx.account.id, `the log keeps events for ${days} days`);
  }
  // Before the search: an event that is stored meanwhile is after the position, also one that commits after a later one.
  const now = await readNow(tx);
  const [row] = await tx.run(FIRST_SEQ_SINCE, { accountId: ctx.account.id, at });
  return row?.seq == null ? now : Math.min(now, Number(row.seq) - 1);
}
