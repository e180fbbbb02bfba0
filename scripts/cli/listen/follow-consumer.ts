import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "@/scripts/cli/api-client";
import { CliError } from "@/scripts/cli/cli-error";
import { type FollowedEvent, RETRY_MS, Refused } from "@/scripts/cli/listen/follow-events";

const LEASE_SECONDS = 60;
const WAIT_SECONDS = 20;
const BATCH = 50;
/** The lease is extended in time by acknowledgments of what was forwarded. */
const ACK_EVERY_MS = 5000;
const LOOK_AGAIN_MS = 50;
/** The API's codes of a route that does not exist, and of a state that does not allow an operation. */
const UNKNOWN_ROUTE = { code: 1003, status: 404 };
const CONFLICT = 2015;
const EXPIRED = 2032;

interface Consumer {
  position: string;
  leased_until: string | null;
  last_polled_at: string | null;
}

interface Batch {
  events: { id: string; envelope: object; replay?: string }[];
  lease: { token: string } | null;
}

export interface ConsumerOptions {
  client: ApiClient;
  name: string;
  /** The query that the event stream would have. */
  filters: Readonly<Record<string, string | undefined>>;
  /** `now`, or an event number to start after. undefined continues where the consumer is. */
  start: string | undefined;
  /** The last event that an earlier run posted, for a consumer that is new. */
  earlier: string | undefined;
  /** The number of the last event up to which all were forwarded. */
  forwarded(): number | undefined;
  say(line: string): void;
}

/** Events of a consumer: each is acknowledged after it and all earlier ones were forwarded. */
export interface ConsumerFeed {
  /** Never ends. Throws Refused for an error that only the caller can fix. */
  events: AsyncGenerator<FollowedEvent>;
  /** Acknowledges what was forwarded. Never fails: events that are not acknowledged come again. */
  acknowledge(): Promise<void>;
}

/**
 * Creates or continues a consumer of the instance. Returns null when the instance has no consumers, or no room for another
 * one: then the event stream has the events. Errors: as `ApiClient.call`.
 */
export async function openConsumer(options: ConsumerOptions): Promise<ConsumerFeed | null> {
  const { client, name, filters, say } = options;
  const path = `/v3/consumers/${name}`;
  const body = {
    start: "now",
    ...(filters.types !== undefined && { types: list(filters.types) }),
    ...(filters.phone_numbers !== undefined && { phone_numbers: list(filters.phone_numbers) }),
    ...(filters.version !== undefined && { version: filters.version }),
  };
  let consumer: Consumer;
  try {
    consumer = await client.call<Consumer>(`PUT ${path}`, { body });
  } catch (error) {
    if (hasCode(error, UNKNOWN_ROUTE.code, UNKNOWN_ROUTE.status)) return null;
    if (!hasCode(error, CONFLICT)) throw error;
    say("The account has no room for another consumer. Following the event stream.");
    return null;
  }
  const isNew = consumer.last_polled_at === null;
  const after = options.start ?? (isNew ? options.earlier : undefined);
  // The lease of a run that was killed would hold up this one.
  const taken = consumer.leased_until === null ? undefined : consumer.position;
  await seek(options, path, after ?? taken);
  return follow(options, path);
}

async function seek({ client, say }: ConsumerOptions, path: string, after: string | undefined) {
  if (after === undefined) return;
  try {
    await client.call(`POST ${path}/seek`, { body: { after } });
  } catch (error) {
    if (!hasCode(error, EXPIRED)) throw error;
    say(`The log no longer has all events after ${after}. Starting with the oldest.`);
    await client.call(`POST ${path}/seek`, { body: { after: "oldest" } });
  }
}

function follow({ client, forwarded, say }: ConsumerOptions, path: string): ConsumerFeed {
  let lease: string | null = null;
  let acked = 0;

  async function acknowledge(): Promise<void> {
    const position = forwarded();
    if (lease === null || position === undefined || position <= acked) return;
    try {
      const body = { up_to: String(position), lease };
      const { lease: left } = await client.call<Batch>(`POST ${path}/ack`, { body });
      acked = position;
      lease = left?.token ?? null;
    } catch (error) {
      // The lease is over, and the next poll returns what is not acknowledged.
      if (hasCode(error, CONFLICT)) lease = null;
    }
  }

  async function* run(): AsyncGenerator<FollowedEvent> {
    let newest = 0;
    for (let failures = 0; ; ) {
      let batch: Batch;
      try {
        const body = { limit: BATCH, wait_seconds: WAIT_SECONDS, lease_seconds: LEASE_SECONDS };
        batch = await client.call<Batch>(`POST ${path}/poll`, { body });
        if (failures > 0) say("Reconnected.");
        failures = 0;
      } catch (error) {
        await recover(error, failures++);
        continue;
      }
      lease = batch.lease?.token ?? null;
      let ackedAt = Date.now();
      for (const { id, envelope, replay } of batch.events) {
        const number = Number(id);
        // Events that come again because the lease ended may still be on their way to the server.
        if (number <= newest && number > acked) continue;
        // The consumer was moved back.
        if (number <= acked) acked = number - 1;
        newest = number;
        const data = JSON.stringify({ ...envelope, ...(replay !== undefined && { replay }) });
        yield { id, type: (envelope as { event_type: string }).event_type, data };
        if (Date.now() - ackedAt < ACK_EVERY_MS) continue;
        ackedAt = Date.now();
        await acknowledge();
      }
      while (lease !== null) {
        await acknowledge();
        if (lease !== null) await sleep(LOOK_AGAIN_MS);
      }
    }
  }

  async function recover(error: unknown, failures: number): Promise<void> {
    if (!(error instanceof CliError)) throw error;
    const { status = 0, code, message, retry_after } = error.failure;
    if (code === EXPIRED) {
      say(`${message}. Continuing with the oldest.`);
      await client.call(`POST ${path}/seek`, { body: { after: "oldest" } });
      return;
    }
    const isLasting = error.exit !== "unreachable" && status >= 400 && status < 500;
    if (isLasting && ![409, 429].includes(status)) throw new Refused(error.failure);
    say(`Connection failed: ${message}`);
    const pauseMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
    await sleep(Math.max(pauseMs, Math.min(retry_after ?? 0, LEASE_SECONDS) * 1000));
  }

  return { events: run(), acknowledge };
}

function hasCode(error: unknown, code: number, status?: number): boolean {
  if (!(error instanceof CliError) || error.failure.code !== code) return false;
  return status === undefined || error.failure.status === status;
}

function list(text: string): string[] {
  return text.split(",").filter((each) => each !== "");
}
