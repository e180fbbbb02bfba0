import "server-only";
import { z } from "zod";
import { EVENT_TYPES, eventVersions } from "@/lib/events/catalog/event-types";
import { hidePayload } from "@/lib/events/catalog/hide-payload";
import { renderEvent, WebhookEnvelope } from "@/lib/events/catalog/render-event";
import { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import { EVENT_COLUMNS, type LoggedEvent, toLoggedEvent } from "@/lib/events/store/logged-event";
import { followAccount } from "@/lib/events/tail/follow-account";
import { logPosition } from "@/lib/events/tail/log-position";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { limitParameter } from "@/lib/platform/lists/page";
import { commaList } from "@/lib/platform/text/comma-list";
import { requireSandbox } from "@/lib/simulator/require-sandbox";
import { containedText, waitTimeout } from "@/lib/simulator/wait-parameters";

/** Further events of the account, internal ones included, are not searched. */
const SEARCHED = 5000;

export const ListSimulatorEvents = contract({
  summary: "List or wait for events of the account",
  description: `Returns events of the account as webhooks deliver them, oldest first, whether or not a subscription exists. With \`timeout\`, the request waits until at least one event matches. Use it in tests instead of a webhook receiver. Searches up to ${SEARCHED.toLocaleString("en-US")} events: the newest, or with \`after\` the next ones.`,
  tag: "Simulator",
  right: "view_events",
  sandboxOnly: true,
  // Events of all types, as for the event stream.
  scopes: ["read_only"],
  query: z.object({
    type: commaList(z.enum(EVENT_TYPES)).describe("Only these event types, separated by commas."),
    contains: containedText.describe("Only events whose `data`, as JSON, contains this text."),
    after: z
      .union([z.uuid(), z.iso.datetime({ offset: true })])
      .optional()
      .describe("Only events after the event with this ID, or at this time or later."),
    version: WebhookVersion.default("2026-02-03").describe(
      "Payload version of the events. Defaults to `2026-02-03`.",
    ),
    limit: limitParameter(100, 100),
    timeout: waitTimeout,
  }),
  returns: z.object({
    events: z
      .array(WebhookEnvelope)
      .meta({ description: "The matching events, oldest first.", examples: [[]] }),
  }),
  status: 200,
  errors: ["parameter_invalid", "rate_limited", "access_denied", "feature_not_available"],
  extension: true,
});

type Query = Input<typeof ListSimulatorEvents>["query"];

/**
 * Lists the account's partner-facing events. Waits for the first match until `signal` is aborted. Errors: as
 * `ListSimulatorEvents`.
 */
export async function listSimulatorEvents(
  ctx: Context,
  { query }: { query: Query },
  signal: AbortSignal,
): Promise<{ events: WebhookEnvelope[] }> {
  requireSandbox(ctx);
  const start = await startOf(ctx.account.id, query.after);
  // Read before the search, so that no event is committed unseen between the search and the wait.
  const position = await logPosition();
  const matches = matcherOf(ctx, query, start);
  const found = (await searchEvents(ctx.account.id, query, start)).flatMap(matches);
  if (found.length > 0 || signal.aborted) {
    const newest = start.seq === null ? found.slice(-query.limit) : found.slice(0, query.limit);
    return { events: newest };
  }
  const from = Math.max(position, start.seq ?? 0);
  for await (const { events } of followAccount({ accountId: ctx.account.id, after: from, signal })) {
    const arrived = events.flatMap(matches);
    if (arrived.length > 0) return { events: arrived.slice(0, query.limit) };
  }
  return { events: [] };
}

/** Where the search starts: after an event's number, or at a time. */
interface Start {
  seq: number | null;
  at: Date | null;
}

const FIND_SEQ_OF_EVENT = plannedStatement(
  "find-seq-of-event",
  "select seq from events where account_id = :accountId and id = :after and not internal",
);

async function startOf(accountId: string, after: Query["after"]): Promise<Start> {
  if (after === undefined) return { seq: null, at: null };
  if (!z.uuid().safeParse(after).success) return { seq: null, at: new Date(after) };
  const [row] = await sql.run(FIND_SEQ_OF_EVENT, { accountId, after });
  if (row === undefined) return fail("parameter_invalid", "after: the account has no event with this ID");
  return { seq: Number(row.seq), at: null };
}

const searchFrom = (order: "asc" | "desc") =>
  `select * from (
    select ${EVENT_COLUMNS} from events where account_id = :accountId and seq > :seq
    order by seq ${order} limit ${SEARCHED}) e
  where not internal and (cardinality(:types::text[]) = 0 or type = any(:types))
    and (:at::timestamptz is null or created_at >= :at)
  order by seq`;

const SEARCH_EVENTS_AFTER = plannedStatement("search-simulator-events-after", searchFrom("asc"));

const SEARCH_NEWEST_EVENTS = plannedStatement("search-newest-simulator-events", searchFrom("desc"));

async function searchEvents(accountId: string, query: Query, { seq, at }: Start): Promise<LoggedEvent[]> {
  const rows = await sql.run(seq === null ? SEARCH_NEWEST_EVENTS : SEARCH_EVENTS_AFTER, {
    accountId,
    seq: seq ?? 0,
    types: query.type,
    at,
  });
  return rows.map(toLoggedEvent);
}

/** Returns a function that renders an event if it matches the query. */
function matcherOf(ctx: Context, { type, contains, version }: Query, { at }: Start) {
  const types = new Set<string>(type);
  return (event: LoggedEvent): WebhookEnvelope[] => {
    if (event.internal || !eventVersions(event.type).includes(version)) return [];
    if (types.size > 0 && !types.has(event.type)) return [];
    if (at !== null && event.createdAt < at) return [];
    const envelope = hidePayload(ctx, renderEvent(event, ctx.account.partnerId, version));
    return contains === undefined || JSON.stringify(envelope.data).includes(contains) ? [envelope] : [];
  };
}
