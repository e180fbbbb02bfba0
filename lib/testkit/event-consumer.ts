import { setTimeout as sleep } from "node:timers/promises";
import { ApiCallError, type ApiClient } from "@/lib/testkit/api-client";
import type { BodyOf, EventOf, EventType } from "@/lib/testkit/api-operations";
import { Inbox } from "@/lib/testkit/inbox";
import { describeMatch, matchesText } from "@/lib/testkit/match-text";
import type { WebhookMatch } from "@/lib/testkit/webhook-receiver";

/** Which events a consumer gets, and where it starts. */
export type ConsumerSettings = NonNullable<BodyOf<"PUT /v3/consumers/{name}">>;

interface Consumed {
  event: EventOf<EventType>;
  /** The envelope as JSON. */
  body: string;
}

/** A poll without an event ends after this, so that a test that is over leaves no request behind. */
const WAIT_SECONDS = 1;
/** Leases are on the platform clock, which tests move: the longest one. */
const LEASE_SECONDS = 600;
const RETRY_MS = 100;
/** The lease of an acknowledgment is over. */
const NOT_LEASED = 2015;
/** Another poll has the events. */
const LEASED = 2033;

/** A consumer of the account's events: polls and acknowledges while something waits for an event. */
export class EventConsumer {
  private readonly inbox = new Inbox<Consumed>(({ event }) => `${event.event_type} ${event.event_id}`);
  private polling: Promise<void> | undefined;
  private waits = 0;
  /** What has to be acknowledged before the next poll. */
  private unacknowledged: { up_to: string; lease: string } | undefined;
  /** The IDs of a batch whose acknowledgment failed, which comes again. */
  private known = new Set<string>();

  constructor(
    private readonly api: ApiClient,
    /** The name of the consumer. */
    readonly name: string,
    private readonly timeoutMs: number,
  ) {}

  /** All events that were polled, in the order of the log. */
  get all(): readonly EventOf<EventType>[] {
    return this.inbox.all.map(({ event }) => event);
  }

  /**
   * Resolves with the next event of a type that matches. Each event resolves one wait. Polls are repeated while another
   * program has the consumer's events, and while the instance is busy or away. Throws WaitTimeoutError, and ApiCallError
   * when a poll is rejected, for example because the consumer was deleted.
   */
  async next<Type extends EventType>(type: Type, match: WebhookMatch<Type> = {}): Promise<EventOf<Type>> {
    const { body, where = () => true, timeoutMs = this.timeoutMs } = match;
    const rejected = new AbortController();
    const found = this.inbox.next({
      matches: ({ event, body: text }) =>
        event.event_type === type && matchesText(body, text) && where(event as EventOf<Type>),
      expected: `event ${type}${describeMatch(body)}`,
      timeoutMs,
      signal: rejected.signal,
    });
    this.waits++;
    try {
      // A poll that is rejected ends the wait before its time limit, so that it takes no later event.
      this.poll().catch((error: unknown) => rejected.abort(error));
      return (await found).event as EventOf<Type>;
    } finally {
      this.waits--;
    }
  }

  /** Forgets the events that no wait asked for. */
  rewind(): void {
    this.inbox.rewind();
  }

  /** Polls until nothing waits any more. Waits at the same time share the polls, because one poll holds the lease. */
  private poll(): Promise<void> {
    this.polling ??= this.pollWhileAwaited();
    return this.polling;
  }

  private async pollWhileAwaited(): Promise<void> {
    try {
      while (this.waits > 0) {
        await this.pollOnce().catch((error) => {
          if (!isTemporary(error)) throw error;
          return sleep(RETRY_MS);
        });
      }
    } finally {
      this.polling = undefined;
    }
  }

  private async pollOnce(): Promise<void> {
    // One that the instance could not answer.
    await this.acknowledge();
    const { events, lease } = await this.api.call("POST /v3/consumers/{name}/poll", {
      path: { name: this.name },
      body: { wait_seconds: WAIT_SECONDS, lease_seconds: LEASE_SECONDS },
    });
    for (const { id, envelope } of events) {
      if (this.known.has(id)) continue;
      this.inbox.add({ event: envelope as EventOf<EventType>, body: JSON.stringify(envelope) });
    }
    const up_to = events.at(-1)?.id;
    if (lease === null || up_to === undefined) return;
    this.known = new Set(events.map(({ id }) => id));
    this.unacknowledged = { up_to, lease: lease.token };
    await this.acknowledge();
  }

  private async acknowledge(): Promise<void> {
    const body = this.unacknowledged;
    if (body === undefined) return;
    try {
      await this.api.call("POST /v3/consumers/{name}/ack", { path: { name: this.name }, body });
      this.known = new Set();
    } catch (error) {
      if (isTemporary(error)) throw error;
      this.unacknowledged = undefined;
      // The batch comes again, because the clock was moved past the end of the lease.
      if (error instanceof ApiCallError && error.code === NOT_LEASED) return;
      this.known = new Set();
      throw error;
    }
    this.unacknowledged = undefined;
  }
}

function isTemporary(error: unknown): boolean {
  return error instanceof ApiCallError && (error.code === LEASED || [429, 503].includes(error.status));
}
