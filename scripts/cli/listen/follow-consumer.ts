import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "@/scripts/cli/api-client";
import { CliError } from "@/scripts/cli/cli-error";
import type { FollowedEvent } from "@/scripts/cli/listen/follow-events";
import type { OpenedConsumer } from "@/scripts/cli/listen/open-consumer";
import {
  CONFLICT,
  codeOf,
  EXPIRED,
  isTemporary,
  isUnknownRoute,
  LEASED,
  pauseAfter,
  toRefused,
  UNKNOWN_CONSUMER,
} from "@/scripts/cli/listen/try-again";

const LEASE_SECONDS = 30;
const WAIT_SECONDS = 20;
/** The most that a poll returns: events behind one that is still on its way are fetched up to here. */
const BATCH = 250;
/** The lease is extended in time by acknowledgments of what was forwarded. */
const ACK_EVERY_MS = 5000;
const LOOK_AGAIN_MS = 50;

interface Batch {
  events: { id: string; envelope: { event_type: string }; replay?: string }[];
  lease: { token: string } | null;
}

export interface FollowConsumerOptions {
  client: ApiClient;
  consumer: OpenedConsumer;
  /** The number of the last event up to which all were forwarded. */
  forwarded(): number | undefined;
  say(line: string): void;
}

/** Events of a consumer: each is acknowledged after it and all earlier ones were forwarded. */
export interface ConsumerFeed {
  /** Ends after `close`. Throws Refused for an error that only the caller can fix. */
  events: AsyncGenerator<FollowedEvent>;
  /** Acknowledges what was forwarded. Errors: as `ApiClient.call`, except a lease that is over. */
  acknowledge(): Promise<void>;
  /** No further event is yielded. */
  close(): void;
}

interface Lease {
  token: string;
  /** When the instance may return the events again, by `performance.now()`. */
  until: number;
}

/** Polls a consumer for as long as the run lasts. Events that come again while they are on their way are yielded once. */
export function followConsumer({ client, consumer, forwarded, say }: FollowConsumerOptions): ConsumerFeed {
  const { path } = consumer;
  let lease: Lease | null = null;
  let acked = consumer.position;
  let newest = 0;
  let isClosed = false;
  let isWaiting = false;
  let heldUp: number | undefined;

  async function acknowledge(): Promise<void> {
    const position = forwarded();
    if (lease === null || position === undefined || position <= acked) return;
    const body = { up_to: String(position), lease: lease.token };
    try {
      lease = toLease(await client.call<Batch>(`POST ${path}/ack`, { body }));
      acked = position;
    } catch (error) {
      if (codeOf(error) !== CONFLICT) throw error;
      // The lease is over, and the next poll returns what is not acknowledged.
      lease = null;
    }
  }

  async function poll(): Promise<Batch["events"]> {
    const body = { limit: BATCH, wait_seconds: WAIT_SECONDS, lease_seconds: LEASE_SECONDS };
    const batch = await client.call<Batch>(`POST ${path}/poll`, { body });
    lease = toLease(batch);
    isWaiting = false;
    return batch.events;
  }

  /** Whether an event of a batch has to be forwarded. */
  function isDue(number: number): boolean {
    // Events that come again because the lease ended may still be on their way to the server.
    if (number <= newest && number > acked) return false;
    // The consumer was moved back.
    if (number <= acked) acked = number - 1;
    newest = number;
    return true;
  }

  /** Says once which event it is that keeps all events of a batch from being acknowledged. */
  function sayHeldUp(): void {
    const next = Math.max(forwarded() ?? 0, acked) + 1;
    if (heldUp === next) return;
    heldUp = next;
    say(`Event ${next} holds up the events after it: your server has not answered it. It is posted again.`);
  }

  async function* run(): AsyncGenerator<FollowedEvent> {
    for (let failures = 0; !isClosed; ) {
      try {
        if (lease !== null && performance.now() < lease.until) {
          await acknowledge();
          if (lease !== null) await sleep(LOOK_AGAIN_MS);
          continue;
        }
        const events = await poll();
        if (failures > 0) say("Reconnected.");
        failures = 0;
        if (events.length === BATCH && Number(events.at(-1)?.id) <= newest && Number(events[0]?.id) > acked)
          sayHeldUp();
        yield* forwardable(events);
      } catch (error) {
        if (!isClosed) await recover(error, failures++);
      }
    }
  }

  async function* forwardable(events: Batch["events"]): AsyncGenerator<FollowedEvent> {
    let ackedAt = performance.now();
    for (const { id, envelope, replay } of events) {
      if (isClosed) return;
      if (!isDue(Number(id))) continue;
      const data = JSON.stringify({ ...envelope, ...(replay !== undefined && { replay }) });
      yield { id, type: envelope.event_type, data };
      if (performance.now() - ackedAt < ACK_EVERY_MS) continue;
      ackedAt = performance.now();
      // One that fails is made again after the batch.
      await acknowledge().catch(() => undefined);
    }
  }

  async function recover(error: unknown, failures: number): Promise<void> {
    const code = codeOf(error);
    if (code === LEASED) return waitForLease(error as CliError);
    if (code === EXPIRED) return consumer.skipLost(error, String(Math.max(forwarded() ?? 0, acked)));
    if (code === UNKNOWN_CONSUMER && !consumer.isKept) return recreate();
    // While instances are replaced, one may not know consumers yet.
    const isPassing = isTemporary(error) || isUnknownRoute(error);
    if (!isPassing || !(error instanceof CliError)) throw toRefused(error);
    say(`Connection failed: ${error.message}`);
    await pauseAfter(error, failures);
  }

  async function waitForLease(error: CliError): Promise<void> {
    // An instance whose clock stands still never ends a lease: this run's own is still good for an acknowledgment.
    if (lease !== null) lease.until = performance.now() + 1000;
    else {
      if (!isWaiting) say("Another run has the next events of this consumer. Waiting for it.");
      isWaiting = true;
      await pauseAfter(error, 1);
    }
  }

  async function recreate(): Promise<void> {
    const after = Math.max(forwarded() ?? 0, acked);
    say(`The consumer was deleted. Creating it again after event ${after}.`);
    lease = null;
    await consumer.recreate(after);
  }

  return {
    events: run(),
    acknowledge,
    close() {
      isClosed = true;
    },
  };
}

function toLease({ lease }: Pick<Batch, "lease">): Lease | null {
  return lease === null ? null : { token: lease.token, until: performance.now() + LEASE_SECONDS * 1000 };
}
