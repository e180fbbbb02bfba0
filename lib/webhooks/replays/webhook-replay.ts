import "server-only";
import { z } from "zod";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const REPLAY_STATES = ["running", "paused", "done", "canceled"] as const;

/** The default replay speed, in events per second. */
const PER_SECOND = 50;
const MAX_PER_SECOND = 1000;

export const ReplaySpeed = z
  .int()
  .min(1)
  .max(MAX_PER_SECOND)
  .describe(`Maximum number of events per second, 1 to ${MAX_PER_SECOND}.`);

/** The speed of a replay, with its default. */
export const ReplaySpeedWithDefault = ReplaySpeed.default(PER_SECOND).describe(
  `Maximum number of events per second, 1 to ${MAX_PER_SECOND}. Defaults to ${PER_SECOND}.`,
);

/** The selection of a replay: one delivery, or a filter as in lib/webhooks/replays/steps/replay-filter.ts. */
const ReplaySelection = z.union([
  z.object({ delivery_id: z.uuid().describe("ID of the replayed delivery.") }),
  z.object({
    filter: z
      .object({
        statuses: z.array(z.string()).describe("Statuses of the selected events for this subscription."),
        types: z.array(z.string()).describe("Event types. Empty selects all types."),
        line_id: z.uuid().optional().describe("Only events of this line."),
        chat_id: z.uuid().optional().describe("Only events of this chat."),
        from: z.iso.datetime().optional().describe("Only events from this time on."),
        to: z.iso.datetime().optional().describe("Only events before this time."),
        json_path: z.string().optional().describe("JSON path that the data of an event matches."),
      })
      .describe("The filter that selected the events."),
  }),
]);

/** A replay of events to one subscription, with its progress. */
export const WebhookReplay = z
  .object({
    id: z.uuid().describe("ID of the replay."),
    subscription_id: z.uuid().describe("ID of the webhook subscription."),
    selection: ReplaySelection.describe("The replayed delivery, or the filter that selected the events."),
    state: z.enum(REPLAY_STATES).describe("State of the replay."),
    reason: z
      .string()
      .nullable()
      .describe("Reason why Trunkline paused or canceled the replay; `null` otherwise."),
    per_second: z.int().describe("Maximum number of events per second."),
    total: z
      .int()
      .describe(
        "Number of events. Events that are not counted below are pending, or were never sent because the replay was canceled.",
      ),
    delivered: z.int().describe("Number of delivered events."),
    failed: z.int().describe("Number of events whose delivery failed."),
    skipped: z.int().describe("Number of skipped events."),
    retrying: z.int().describe("Number of deliveries with failed attempts that are still retried."),
    created_by: z.string().nullable().describe("Name of the user; `null` for a replay of an API token."),
    created_at: z.iso.datetime().describe("When the replay was created."),
    ended_at: z.iso.datetime().nullable().describe("When the replay ended; `null` until then."),
  })
  .meta({
    id: "WebhookReplay",
    description: "A replay of events to one webhook subscription, with its progress.",
    examples: [
      {
        id: "019ca9c2-9c40-7f86-9a55-70b162930415",
        subscription_id: "019ca9c2-4c0b-7ce2-9b21-d6e7f8091a23",
        selection: { filter: { statuses: ["failed"], types: [] } },
        state: "running",
        reason: null,
        per_second: 50,
        total: 12,
        delivered: 0,
        failed: 0,
        skipped: 0,
        retrying: 0,
        created_by: null,
        created_at: "2026-03-01T12:00:03.000Z",
        ended_at: null,
      },
    ],
  });

export type WebhookReplay = z.infer<typeof WebhookReplay>;

/** A subquery that counts a replay's deliveries by result. The replay and the account are given as SQL expressions. */
export function countsOf(accountId: string, replayId: string): string {
  return `select count(*) filter (where status = 'delivered')::int as delivered,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'skipped')::int as skipped
    from webhook_deliveries where account_id = ${accountId} and replay_id = ${replayId}`;
}

// Ended replays store their counts. Deliveries of running replays are counted on each read.
const REPLAYS = `select r.id, r.subscription_id, r.selection, r.state, r.reason, r.per_second, r.total,
    coalesce(c.delivered, r.delivered) as delivered, coalesce(c.failed, r.failed) as failed,
    coalesce(c.skipped, r.skipped) as skipped, coalesce(t.retrying, 0) as retrying,
    u.name as created_by, r.created_at, r.ended_at
  from webhook_replays r left join users u on u.id = r.created_by
  left join lateral (${countsOf("r.account_id", "r.id")}) c on r.ended_at is null
  left join lateral (
    select count(*)::int as retrying from webhook_deliveries d
    where d.account_id = r.account_id and d.replay_id = r.id and d.run_at > :now
  ) t on r.ended_at is null`;

const SELECT_REPLAYS = statement(
  "select-replays",
  `${REPLAYS} where r.account_id = :accountId and r.id = any(:ids::uuid[]) order by r.id desc`,
);

/** Replays of an account by their ids, newest first, with their progress, in one statement. */
export async function selectReplays(
  on: Sql,
  accountId: string,
  ids: readonly string[],
): Promise<WebhookReplay[]> {
  const rows = await on.run(SELECT_REPLAYS, { accountId, ids, now: now() });
  return rows.map((row) => ({
    ...row,
    selection: ReplaySelection.parse(row.selection),
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }));
}
