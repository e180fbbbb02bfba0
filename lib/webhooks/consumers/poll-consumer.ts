import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { WebhookEnvelope } from "@/lib/events/catalog/render-event";
import { type AccountBell, listenForAccount } from "@/lib/events/tail/listen-for-account";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import {
  ConsumerEventId,
  ConsumerLag,
  ConsumerParams,
  MAX_LEASE_SECONDS,
} from "@/lib/webhooks/consumers/consumer";
import { type Batch, takeEvents } from "@/lib/webhooks/consumers/take-events";

const MAX_EVENTS = 250;
const MAX_WAIT_SECONDS = 30;
/** A poll passes at most this many times as many entries as one statement reads. */
const MAX_PASSED = 20;
/** Time between looks, while events that are not for the consumer are stored. */
const REST_MS = 150;

export const ConsumerLease = z.object({
  token: z.uuid().describe("Token of the lease, for the acknowledgment."),
  expires_at: z.iso.datetime().describe("When the events are returned to the next poll."),
});

export const PollConsumer = contract({
  summary: "Poll events of a consumer",
  description:
    "Returns the next events of a consumer, in order, and leases them to the caller. Acknowledge them after you have processed them. Events that are not acknowledged until the lease ends are returned again, with the same IDs. While a lease lives, other polls return 409 with `Retry-After`. With `wait_seconds`, the request waits until there is an event; it then counts as an open stream. When the log no longer has all events after the position, the response is 410 with `oldest`. A Trunkline extension.",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: ConsumerParams,
  body: z
    .object({
      limit: z.int().min(1).max(MAX_EVENTS).default(100).describe("Maximum number of events, 1 to 250."),
      wait_seconds: z
        .int()
        .min(0)
        .max(MAX_WAIT_SECONDS)
        .default(0)
        .describe("Seconds to wait for an event, 0 to 30. Defaults to 0."),
      lease_seconds: z
        .int()
        .min(10)
        .max(MAX_LEASE_SECONDS)
        .default(60)
        .describe("Seconds until events that are not acknowledged are returned again, 10 to 600."),
    })
    .meta({ examples: [{ limit: 100, wait_seconds: 30, lease_seconds: 60 }] }),
  bodyOptional: true,
  returns: z
    .object({
      events: z
        .array(
          z.object({
            id: ConsumerEventId,
            envelope: WebhookEnvelope.describe("The body that a webhook of the consumer's version has."),
            replay: z
              .uuid()
              .optional()
              .describe("ID of the replay that resent the event. Absent on other events."),
          }),
        )
        .describe("The next events, oldest first."),
      lease: ConsumerLease.nullable().describe("Lease of these events; `null` without events."),
      lag: ConsumerLag.describe("Events that are not acknowledged, including those of this response."),
    })
    .meta({
      examples: [
        {
          events: [
            {
              id: "48211",
              envelope: {
                api_version: "v3",
                webhook_version: "2026-02-03",
                event_type: "chat.typing_indicator.started",
                event_id: "019ca9c2-9c40-7f86-9a55-70b162930415",
                created_at: "2026-03-01T12:00:09.000Z",
                trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
                partner_id: "019ca9c0-0000-7000-8000-5a1f0c9e2b34",
                data: { chat_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182", actor_handle: null },
              },
            },
          ],
          lease: { token: "019ca9c2-9c41-7a10-8a33-1f2e3d4c5b6a", expires_at: "2026-03-01T12:01:10.000Z" },
          lag: { events: 1, oldest_at: "2026-03-01T12:00:09.000Z" },
        },
      ],
    }),
  status: 200,
  errors: [
    "parameter_invalid",
    "consumer_not_found",
    "consumer_leased",
    "events_expired",
    "rate_limited",
    "service_unavailable",
  ],
  extension: true,
});

const FREE_CONSUMER_LEASE = statement(
  "free-consumer-lease",
  `update event_consumers set lease = null, lease_expires_at = null
  where account_id = :accountId and name = :name and lease = :lease::uuid`,
);

/**
 * Returns the consumer's next events, or waits for one until `signal` is aborted. The wait holds no connection of the
 * database and no lease. A caller that disconnects (`gone`) before the response gives its lease back. Errors: as
 * `PollConsumer`.
 */
export async function pollConsumer(
  ctx: Context,
  { params: { name }, body }: Input<typeof PollConsumer>,
  signal: AbortSignal,
  gone: AbortSignal,
): Promise<z.input<typeof PollConsumer.returns>> {
  const lease = newId(now().getTime());
  const { hasMore: _, ...batch } = await findEvents(
    ctx.account.id,
    (isFirst) =>
      takeEvents(ctx, name, { limit: body.limit, leaseSeconds: body.lease_seconds, lease, isFirst }),
    signal,
  );
  if (gone.aborted && batch.lease !== null) {
    await sql.run(FREE_CONSUMER_LEASE, { accountId: ctx.account.id, name, lease });
  }
  return batch;
}

/** What the request log stores of a poll: the content of events has its own retention. */
export function loggedPoll({ events, ...rest }: z.input<typeof PollConsumer.returns>): object {
  return {
    events: events.map(({ id, envelope: { event_id, event_type } }) => ({ id, event_id, event_type })),
    ...rest,
  };
}

async function findEvents(
  accountId: string,
  take: (isFirst: boolean) => Promise<Batch>,
  signal: AbortSignal,
): Promise<Batch> {
  let bell: AccountBell | null = null;
  let passed = 0;
  try {
    for (let looks = 1; ; looks++) {
      const batch = await take(looks === 1);
      const lookedAt = performance.now();
      if (batch.lease !== null) return batch;
      if (batch.hasMore) {
        if (++passed >= MAX_PASSED) return batch;
        continue;
      }
      if (signal.aborted) return batch;
      // The first bell starts before another look, which finds what was stored before.
      if (bell === null) bell = await listenForAccount(accountId, signal);
      else if (await bell.rings()) await pause(lookedAt + REST_MS - performance.now(), signal);
      else return batch;
    }
  } finally {
    bell?.stop();
  }
}

/** Waits for `ms`, or until the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
}
