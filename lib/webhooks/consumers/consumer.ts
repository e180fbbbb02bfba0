import "server-only";
import { z } from "zod";
import { EVENT_TYPES, isOptIn } from "@/lib/events/catalog/event-types";
import { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import { IN_ITS_VERSION } from "@/lib/events/store/emit-event";
import type { RowOf } from "@/lib/platform/database/statement";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";

/** Further entries of the account's log after the position are not counted. */
export const MAX_COUNTED = 5000;
/** The same for each consumer of a list. */
export const MAX_COUNTED_IN_LIST = 200;
/** Maximum time of a lease in seconds. */
export const MAX_LEASE_SECONDS = 600;

// A turn is an event of the subscription whose rules made it, and there is none without such a subscription.
const EventType = z.enum(EVENT_TYPES).exclude(["chat.turn"], {
  error: ({ input }) =>
    input === "chat.turn"
      ? "chat.turn: turns belong to webhook subscriptions: use one, or the event stream"
      : `unknown event ${JSON.stringify(input)}: use a name that GET /v3/webhook-events lists`,
});

/** Types that only consumers who name them get. */
const OPT_IN = EVENT_TYPES.filter(isOptIn).join(",");

const EXAMPLE_NAME = "billing";

/** The path parameters of a consumer. */
export const ConsumerParams = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9._-]{1,64}$/, "name must be 1 to 64 of a-z, 0-9, dot, underscore and hyphen")
    .meta({ description: "Name of the consumer.", examples: [EXAMPLE_NAME] }),
});

const EventId = z.string().regex(/^\d{1,15}$/);

/** The number of an event in the log, as polls return it and the stream sends it. */
export const ConsumerEventId = EventId.meta({
  description: "ID of the event in the log, the same as in the event stream. Increases.",
  examples: ["48211"],
});

/** A position in the log: an event, a time, or an end of the log. */
export const ConsumerPosition = z.union(
  [z.enum(["now", "oldest"]), EventId, z.uuid(), z.iso.datetime({ offset: true })],
  { error: 'must be "now", "oldest", the ID of an event, or a time in ISO 8601' },
);

export type ConsumerPosition = z.output<typeof ConsumerPosition>;

export const consumerFields = {
  types: z
    .array(EventType)
    .default([])
    .transform(distinct)
    .describe(
      "Only these event types. Without them, all types except those that `GET /v3/webhook-events` marks with `opt_in`.",
    ),
  phone_numbers: z
    .array(PhoneNumber)
    .nullable()
    .default(null)
    .transform((numbers) => distinct(numbers ?? []))
    .describe("Only events of these lines, and events without a line. Omit for all lines."),
  version: WebhookVersion.default("2026-02-03").describe(
    "Payload version of the events. Defaults to `2026-02-03`.",
  ),
};

export const ConsumerLag = z.object({
  events: z
    .int()
    .describe(
      `Events that are not acknowledged, among the next ${MAX_COUNTED.toLocaleString("en-US")} entries of the account's log, in lists among the next ${MAX_COUNTED_IN_LIST}: at least so many.`,
    ),
  oldest_at: z.iso
    .datetime()
    .nullable()
    .describe("When the oldest of these events occurred; `null` without any."),
});

const LAG_EXAMPLE = { events: 2, oldest_at: "2026-03-01T12:00:09.000Z" };

/** A named position in the event log (docs/contract.md, section 17). */
export const Consumer = z
  .object({
    name: z.string().describe("Name of the consumer."),
    types: z.array(z.string()).describe("Event types that polls return; empty for all types."),
    phone_numbers: z
      .array(z.string())
      .nullable()
      .describe("Lines whose events polls return; `null` for all lines."),
    version: WebhookVersion,
    start: z.string().describe("Where the consumer was created to start."),
    position: z.string().describe("The events up to this ID are acknowledged, or not for this consumer."),
    leased_until: z.iso.datetime().nullable().describe("End of the current lease; `null` without one."),
    has_expired_events: z
      .boolean()
      .describe(
        "`true` if the log no longer has all events after the position: polls return 410 until you seek. Events of other types and lines count too.",
      ),
    lag: ConsumerLag.extend({
      is_partial: z
        .boolean()
        .optional()
        .describe("`true` if the log has more entries than were counted; absent otherwise."),
    }).describe("Events that wait for the consumer."),
    last_polled_at: z.iso.datetime().nullable().describe("When the consumer was last polled."),
    created_at: z.iso.datetime().describe("When the consumer was created."),
  })
  .meta({
    id: "Consumer",
    description: "A named position in the event log, from which a program polls events.",
    examples: [
      {
        name: EXAMPLE_NAME,
        types: ["message.received"],
        phone_numbers: null,
        version: "2026-02-03",
        start: "now",
        position: "48210",
        leased_until: null,
        has_expired_events: false,
        lag: LAG_EXAMPLE,
        last_polled_at: "2026-03-01T12:00:10.000Z",
        created_at: "2026-03-01T12:00:00.000Z",
      },
    ],
  });

export type Consumer = z.infer<typeof Consumer>;

/**
 * SQL that selects at most `limit` entries of the log after the position of `event_consumers s`, up to `through`, as
 * `t`: `wanted` says whether the entry is for the consumer. An entry that repeats an event has the type and the line of
 * that event.
 */
export function entriesAfter(through: string, limit: number): string {
  return `select t.seq, t.created_at, t.event_seq, t.replay_id, (
      t.type is not null and (t.type = any(s.types) or (s.types = '{}' and t.type <> all('{${OPT_IN}}'::text[]))) ${IN_ITS_VERSION}
      and (s.phone_numbers = '{}' or t.line_id is null or exists (
        select from lines l
        where l.account_id = s.account_id and l.id = t.line_id and l.phone_number = any(s.phone_numbers)))
    ) as wanted
    from (
      select e.seq, e.created_at, coalesce(o.seq, e.seq) as event_seq,
        case when o.seq is not null then (e.data ->> 'replay_id')::uuid end as replay_id,
        case when e.internal then o.type else e.type end as type,
        case when e.internal then o.line_id else e.line_id end as line_id
      from (
        select seq, type, internal, line_id, created_at, data from events
        where account_id = s.account_id and seq > s.position and seq <= ${through} order by seq limit ${limit}
      ) e left join events o on e.internal and e.type = 'webhook.replayed'
        and o.account_id = s.account_id and o.seq = (e.data ->> 'event_seq')::bigint and not o.internal
    ) t`;
}

/** Columns of `event_consumers s` with its lag, for `toConsumer`. */
export const CONSUMER_COLUMNS = `s.name, s.types, s.phone_numbers, s.version, s.start, s.position, s.lease_expires_at,
  s.lost_through, s.polled_at, s.created_at, g.events as "lag_events!", g.oldest_at as lag_oldest_at,
  g.is_partial as "lag_is_partial!"`;

/** SQL that joins the lag of `event_consumers s` among the next `limit` entries. One more tells whether there are others. */
export function joinLag(limit: number): string {
  return `cross join lateral (
    select least(count(*) filter (where wanted), ${limit})::int as events, min(created_at) filter (where wanted) as oldest_at,
      count(*) > ${limit} as is_partial
    from (${entriesAfter("9223372036854775807", limit + 1)}) entry
  ) g`;
}

/** The wire form of a consumer at a time. */
export function toConsumer(row: RowOf<"find-consumer">, at: Date): Consumer {
  return {
    name: row.name,
    types: row.types,
    phone_numbers: row.phone_numbers.length === 0 ? null : row.phone_numbers,
    version: WebhookVersion.parse(row.version),
    start: row.start,
    position: row.position,
    leased_until: isLeaseLive(row.lease_expires_at, at)
      ? (row.lease_expires_at?.toISOString() ?? null)
      : null,
    has_expired_events: hasLost(row),
    lag: {
      events: row.lag_events,
      oldest_at: row.lag_oldest_at?.toISOString() ?? null,
      ...(row.lag_is_partial && { is_partial: true }),
    },
    last_polled_at: row.polled_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** Whether the log no longer has all events after the position. */
export function hasLost({
  lost_through,
  position,
}: {
  lost_through: string | null;
  position: string;
}): boolean {
  return lost_through !== null && BigInt(lost_through) > BigInt(position);
}

// A lease that ends later than a lease can was taken before the platform clock was set back.
/** Whether a lease with this end holds at a time. `LEASE_IS_LIVE` is the same in SQL. */
export function isLeaseLive(expiresAt: Date | null, at: Date): boolean {
  const left = (expiresAt?.getTime() ?? 0) - at.getTime();
  return left > 0 && left <= MAX_LEASE_SECONDS * 1000;
}

/** SQL for whether the lease of `event_consumers u` holds at `:now`. */
export const LEASE_IS_LIVE = `(u.lease_expires_at is not null and u.lease_expires_at > :now::timestamptz
  and u.lease_expires_at <= :now::timestamptz + interval '${MAX_LEASE_SECONDS} seconds')`;

function distinct<Item>(items: Item[]): Item[] {
  return [...new Set(items)].sort();
}
