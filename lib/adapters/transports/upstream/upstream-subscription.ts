import "server-only";
import { z } from "zod";
import type { Connection } from "@/lib/adapters/transports/callback";
import type { UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";
import { EVENT_TYPES } from "@/lib/adapters/transports/upstream/upstream-envelope";
import { STATE_CONFLICT, UpstreamError } from "@/lib/adapters/transports/upstream/upstream-errors";
import { baseUrl } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";

const VERSION = "2026-02-03";
const Any = z.unknown();

const Subscription = z.object({
  id: z.string(),
  target_url: z.string(),
  subscribed_events: z.array(z.string()),
  phone_numbers: z.array(z.string()).nullish(),
  is_active: z.boolean(),
});
const Created = Subscription.extend({ signing_secret: z.string() });
const List = z.object({ subscriptions: z.array(Subscription) });
const Events = z.object({ events: z.array(z.string()) });

/** The state of the line's webhooks. `added`: settings to store in the connection. */
type Webhooks =
  | { state: "kept" }
  | { state: "created"; added: Connection }
  | { state: "refused"; reason: string };

/**
 * Makes sure that the upstream account has an active subscription for the line, whose secret Trunkline has. Creates one
 * if there is none, and repairs one that was disabled or changed. `refused`: the upstream accepts no subscription, for
 * example because this instance has no public https URL. Throws AdapterError when the upstream can't be asked.
 */
export async function keepSubscription(api: UpstreamApi, signal: AbortSignal): Promise<Webhooks> {
  const { subscription_id: id, signing_secret } = api.settings;
  const known = id === undefined || signing_secret === undefined ? null : await find(api, id, signal);
  if (known !== null) {
    await repair(api, known, signal);
    return { state: "kept" };
  }
  try {
    const created = await create(api, signal);
    return {
      state: "created",
      added: { subscription_id: created.id, signing_secret: created.signing_secret },
    };
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.status >= 500 || error.status === 429) throw error;
    log.warn({ err: error, lineId: api.line.id }, "the upstream accepts no webhooks for a line");
    return { state: "refused", reason: error.message };
  }
}

async function find(api: UpstreamApi, id: string, signal: AbortSignal) {
  try {
    const what = `GET /v3/webhook-subscriptions/${encodeURIComponent(id)}` as const;
    return await api.call(what, { schema: Subscription, signal });
  } catch (error) {
    if (error instanceof UpstreamError && (error.status === 404 || error.status === 403)) return null;
    throw error;
  }
}

async function repair(
  api: UpstreamApi,
  { id, target_url, subscribed_events, phone_numbers, is_active }: z.infer<typeof Subscription>,
  signal: AbortSignal,
): Promise<void> {
  const target = targetOf(api);
  const [number = null, ...more] = phone_numbers ?? [];
  const isIntact =
    is_active &&
    target_url === target &&
    number === api.number &&
    more.length === 0 &&
    subscribed_events.includes("message.received");
  if (isIntact) return;
  log.info({ lineId: api.line.id }, "the webhook subscription of a line is repaired");
  const body = {
    target_url: target,
    subscribed_events: await listEvents(api, signal),
    phone_numbers: [api.number],
    is_active: true,
  };
  await api.call(`PUT /v3/webhook-subscriptions/${id}`, { schema: Any, body, signal });
}

/** Creates the subscription. One of the same URL, whose secret is lost, is replaced. */
async function create(api: UpstreamApi, signal: AbortSignal): Promise<z.infer<typeof Created>> {
  const target_url = targetOf(api);
  const body = {
    target_url,
    subscribed_events: await listEvents(api, signal),
    phone_numbers: [api.number],
  };
  const post = () => api.call("POST /v3/webhook-subscriptions", { schema: Created, body, signal });
  try {
    return await post();
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.code !== STATE_CONFLICT) throw error;
  }
  const { subscriptions } = await api.call("GET /v3/webhook-subscriptions", { schema: List, signal });
  for (const { id } of subscriptions.filter((each) => each.target_url === target_url)) {
    await api.call(`DELETE /v3/webhook-subscriptions/${id}`, { schema: Any, signal });
  }
  return post();
}

/** The events that a line needs and the upstream has. */
async function listEvents(api: UpstreamApi, signal: AbortSignal): Promise<string[]> {
  const { events } = await api.call("GET /v3/webhook-events", { schema: Events, signal });
  const offered = new Set(events);
  return EVENT_TYPES.filter((type) => offered.has(type));
}

function targetOf({ line }: UpstreamApi): string {
  return `${baseUrl()}/inbound/lines/${line.id}?version=${VERSION}`;
}
