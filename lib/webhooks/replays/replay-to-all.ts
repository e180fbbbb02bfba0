import "server-only";
import { z } from "zod";
import { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { ApiError, fail } from "@/lib/platform/errors/errors";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import {
  coversSkipped,
  filteredEvents,
  MAX_REPLAYED,
  ReplayFilter,
  type ReplayTarget,
} from "@/lib/webhooks/replays/steps/replay-filter";
import { storeReplay } from "@/lib/webhooks/replays/steps/store-replay";
import { ReplaySpeedWithDefault, selectReplays, WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

const PREVIEW_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 20_000;
/** An account can have hundreds of endpoints. Those that are not reached in time are named. */
const REQUEST_MS = 60_000;

export const PreviewReplayToAll = contract({
  summary: "Preview the number of events in a replay to all endpoints",
  tag: "Webhooks",
  right: "manage_webhooks",
  body: z.object({ filter: ReplayFilter }),
  returns: z.object({
    /** Events to send, of all endpoints together. */
    total: z.int(),
    /** Maximum number of events in the replay to one endpoint. */
    most: z.int(),
    oldest: z.iso.datetime().nullable(),
    newest: z.iso.datetime().nullable(),
    /** Endpoints with events to send. */
    endpoints: z.int(),
    /** The largest number of events of one endpoint. */
    largest: z.int(),
  }),
  status: 200,
  errors: ["parameter_invalid", "field_missing"],
});

export const ReplayToAll = contract({
  summary: "Replay events to all active endpoints",
  tag: "Webhooks",
  right: "manage_webhooks",
  body: z.object({ filter: ReplayFilter, per_second: ReplaySpeedWithDefault }),
  returns: z.object({
    replays: z.array(WebhookReplay),
    /** Endpoints whose replay could not start, or that were not reached within a minute. */
    not_started: z.array(z.object({ subscription_id: z.uuid(), reason: z.string() })),
  }),
  status: 201,
  errors: ["state_conflict", "parameter_invalid", "field_missing", "rate_limited"],
});

const LIST_REPLAY_TARGETS = plannedStatement(
  "list-replay-targets",
  `select id, version, subscribed_events, phone_numbers from webhook_subscriptions
  where account_id = :accountId and deleted_at is null and is_active
  order by id`,
);

interface Matching {
  total: number;
  oldest: Date | null;
  newest: Date | null;
}

/**
 * Counts the events that `replayToAll` would send now, per active endpoint of the account. Errors: parameter_invalid,
 * also for a search that exceeds its time limit.
 */
export async function previewReplayToAll(
  ctx: Context,
  { body }: Pick<Input<typeof PreviewReplayToAll>, "body">,
): Promise<z.infer<typeof PreviewReplayToAll.returns>> {
  const targets = await findTargets(ctx);
  const found = await boundedSearch(ctx.account.id, PREVIEW_TIMEOUT_MS, async (tx) => {
    const counts: Matching[] = [];
    for (const target of targets) counts.push(await countOf(tx, target, body.filter));
    return counts.filter(({ total }) => total > 0);
  });
  const times = found.flatMap(({ oldest, newest }) => [oldest, newest]).filter((time) => time !== null);
  times.sort((one, other) => one.getTime() - other.getTime());
  return {
    total: found.reduce((sum, { total }) => sum + total, 0),
    most: MAX_REPLAYED,
    oldest: times[0]?.toISOString() ?? null,
    newest: times.at(-1)?.toISOString() ?? null,
    endpoints: found.length,
    largest: Math.max(0, ...found.map(({ total }) => total)),
  };
}

/**
 * Starts a replay to every active endpoint of the account that has events for the filter, each like `replayDeliveries`. An
 * endpoint whose replay can't start does not stop the others: it is in `not_started` with the reason, like those that are
 * not reached in `requestMs`. Errors: parameter_invalid, state_conflict (no endpoint has matching events).
 */
export async function replayToAll(
  ctx: Context,
  { body }: Pick<Input<typeof ReplayToAll>, "body">,
  requestMs = REQUEST_MS,
): Promise<z.infer<typeof ReplayToAll.returns>> {
  const until = performance.now() + requestMs;
  const { filter, per_second: perSecond } = body;
  const started: string[] = [];
  const not_started: z.infer<typeof ReplayToAll.returns>["not_started"] = [];
  const targets = await findTargets(ctx);
  // A filter that can't be read is an error of the request, found before any replay has started.
  if (targets[0] !== undefined) await filteredEvents(sql, targets[0], filter);
  for (const target of targets) {
    const outcome = await startOne(ctx, target, { filter, perSecond, until });
    if (outcome !== null && "id" in outcome) started.push(outcome.id);
    else if (outcome !== null) not_started.push({ subscription_id: target.id, reason: outcome.reason });
  }
  if (started.length + not_started.length === 0) {
    fail("state_conflict", "no events match the filters: there is nothing to replay");
  }
  return { replays: await selectReplays(sql, ctx.account.id, started), not_started };
}

/** `until`: by `performance.now()`. */
type Wanted = { filter: ReplayFilter; perSecond: number; until: number };

async function startOne(
  ctx: Context,
  target: ReplayTarget,
  { filter, perSecond, until }: Wanted,
): Promise<{ id: string } | { reason: string } | null> {
  const accountId = ctx.account.id;
  const late = { reason: "there was no time left for this endpoint: replay again" };
  const { json_path, ...shown } = filter;
  const noted = { filter: shown, has_json_path: json_path !== undefined };
  const replay = {
    target,
    selection: { filter },
    noted,
    isBulk: true,
    coversSkipped: coversSkipped(filter),
    perSecond,
  };
  const timeoutMs = () => Math.min(TIMEOUT_MS, until - performance.now());
  try {
    if (timeoutMs() <= 0) return late;
    if (!(await boundedSearch(accountId, timeoutMs(), (tx) => hasEvents(tx, target, filter)))) return null;
    if (timeoutMs() <= 0) return late;
    const id = await boundedSearch(accountId, timeoutMs(), async (tx) =>
      storeReplay(tx, ctx, replay, await filteredEvents(tx, target, filter)),
    );
    return { id };
  } catch (error) {
    if (error instanceof ApiError) return { reason: error.message };
    throw error;
  }
}

async function findTargets(ctx: Context): Promise<ReplayTarget[]> {
  const rows = await sql.run(LIST_REPLAY_TARGETS, { accountId: ctx.account.id });
  return rows.map((row) => ({
    accountId: ctx.account.id,
    id: row.id,
    version: WebhookVersion.parse(row.version),
    subscribedEvents: row.subscribed_events,
    phoneNumbers: row.phone_numbers,
  }));
}

async function countOf(tx: Sql, target: ReplayTarget, filter: ReplayFilter): Promise<Matching> {
  const { text, values } = await filteredEvents(tx, target, filter);
  const [row] = await tx.runText<Matching>({
    text: `select count(*)::int as total, min(created_at) as oldest, max(created_at) as newest from (${text}) e`,
    values,
  });
  return row ?? { total: 0, oldest: null, newest: null };
}

async function hasEvents(tx: Sql, target: ReplayTarget, filter: ReplayFilter): Promise<boolean> {
  const { text, values } = await filteredEvents(tx, target, filter);
  return (await tx.runText({ text: `${text} limit 1`, values })).length > 0;
}
