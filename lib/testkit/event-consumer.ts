import type { ApiClient } from "@/lib/testkit/api-client";
import type { BodyOf, EventOf, EventType } from "@/lib/testkit/api-operations";
import { Inbox } from "@/lib/testkit/inbox";
import { describeMatch, matchesText } from "@/lib/testkit/match-text";
import type { WebhookMatch } from "@/lib/testkit/webhook-receiver";

/** Which events a consumer gets, and where it starts. */
export type ConsumerSettings = NonNullable<BodyOf<"PUT /v3/consumers/{name}">>;

interface Consumed {
  /** The number in the log. */
  id: number;
  event: EventOf<EventType>;
  /** The envelope as JSON. */
  body: string;
}

/** A poll without an event ends after this, so that a test that is over leaves no request behind. */
const WAIT_SECONDS = 1;

/** A consumer of the account's events: polls and acknowledges while something waits for an event. */
export class EventConsumer {
  private readonly inbox = new Inbox<Consumed>(({ event }) => `${event.event_type} ${event.event_id}`);
  private polling: Promise<void> | undefined;
  private waits = 0;
  private last = 0;

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
   * Resolves with the next event of a type that matches. Each event resolves one wait. Throws WaitTimeoutError, and
   * ApiCallError when a poll is rejected, for example because another program has the consumer's events.
   */
  async next<Type extends EventType>(type: Type, match: WebhookMatch<Type> = {}): Promise<EventOf<Type>> {
    const { body, where = () => true, timeoutMs = this.timeoutMs } = match;
    const found = this.inbox.next({
      matches: ({ event, body: text }) =>
        event.event_type === type && matchesText(body, text) && where(event as EventOf<Type>),
      expected: `event ${type}${describeMatch(body)}`,
      timeoutMs,
    });
    this.waits++;
    try {
      // A poll that is rejected ends the wait before its time limit.
      const polled = this.poll().then(() => found);
      polled.catch(() => undefined);
      found.catch(() => undefined);
      return (await Promise.race([found, polled])).event as EventOf<Type>;
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
      while (this.waits > 0) await this.pollOnce();
    } finally {
      this.polling = undefined;
    }
  }

  private async pollOnce(): Promise<void> {
    const path = { name: this.name };
    const { events, lease } = await this.api.call("POST /v3/consumers/{name}/poll", {
      path,
      body: { wait_seconds: WAIT_SECONDS },
    });
    for (const { id, envelope } of events) {
      // A batch whose acknowledgment failed comes again.
      if (Number(id) <= this.last) continue;
      this.last = Number(id);
      const event = envelope as EventOf<EventType>;
      this.inbox.add({ id: this.last, event, body: JSON.stringify(envelope) });
    }
    const up_to = events.at(-1)?.id;
    if (lease === null || up_to === undefined) return;
    const body = { up_to, lease: lease.token };
    await this.api.call("POST /v3/consumers/{name}/ack", { path, body });
  }
}
