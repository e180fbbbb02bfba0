import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { findReplayTarget } from "@/lib/webhooks/replays/find-replay-target";
import { filteredEvents, MAX_REPLAYED, ReplayFilter } from "@/lib/webhooks/replays/steps/replay-filter";

const TIMEOUT_MS = 10_000;

export const PreviewReplay = contract({
  summary: "Preview the number of events in a replay",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: z.object({ subscriptionId: z.uuid() }),
  body: z.object({ filter: ReplayFilter }),
  returns: z.object({
    total: z.int(),
    /** Maximum number of events in one replay. */
    most: z.int(),
    /** The time of the oldest and the newest matching event. */
    oldest: z.iso.datetime().nullable(),
    newest: z.iso.datetime().nullable(),
    /** Deliveries of the subscription, with or without a match, that wait for their next attempt. */
    retrying: z.int(),
    /** When the first of them is attempted again. */
    next_retry_at: z.iso.datetime().nullable(),
  }),
  status: 200,
  errors: ["subscription_not_found", "access_denied", "parameter_invalid", "field_missing"],
});

interface Matching {
  total: number;
  oldest: Date | null;
  newest: Date | null;
}

/**
 * Counts the events that `replayDeliveries` would send now with this filter, and the deliveries that are still being
 * retried, which no replay takes. Errors: those of `replayDeliveries`.
 */
export async function previewReplay(ctx: Context, { params, body }: Input<typeof PreviewReplay>) {
  const target = await findReplayTarget(ctx, params.subscriptionId);

  return boundedSearch(ctx.account.id, TIMEOUT_MS, async (tx) => {
    const { text, values } = await filteredEvents(tx, target, body.filter);
    const [row] = await tx.runText<Matching>({
      text: `select count(*)::int as total, min(created_at) as oldest, max(created_at) as newest from (${text}) e`,
      values,
    });
    const retries = await findRetries(tx, ctx, target.id);
    return {
      total: row?.total ?? 0,
      most: MAX_REPLAYED,
      oldest: row?.oldest?.toISOString() ?? null,
      newest: row?.newest?.toISOString() ?? null,
      retrying: retries?.total ?? 0,
      next_retry_at: retries?.next?.toISOString() ?? null,
    };
  });
}

const COUNT_PENDING_RETRIES = plannedStatement(
  "count-pending-retries",
  `select count(*)::int as total, min(run_at) as next from webhook_deliveries
  where account_id = :accountId and subscription_id = :subscriptionId and run_at > :now and attempts > 0`,
);

async function findRetries(tx: Sql, ctx: Context, subscriptionId: string) {
  const [row] = await tx.run(COUNT_PENDING_RETRIES, {
    accountId: ctx.account.id,
    subscriptionId,
    now: ctx.now,
  });
  return row;
}
