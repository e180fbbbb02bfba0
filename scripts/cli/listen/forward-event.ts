import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FollowedEvent } from "@/scripts/cli/listen/follow-events";
import { type PostResult, postSigned, TIMED_OUT } from "@/scripts/cli/listen/post-signed";

/** Like webhooks, events are posted without waiting for earlier ones, up to this number. */
const MAX_IN_FLIGHT = 10;
/** Pauses before an event without a response is posted again; the last one repeats. */
const RETRY_MS = [500, 1000, 2000, 5000];

/** A forwarded event with the response of the server. */
export interface Forwarded extends PostResult {
  /** The number of the event. */
  number: number;
  eventId: string;
  type: string;
  isReplay: boolean;
}

interface ForwardOptions {
  target: string;
  secret: string;
  /** Called for each event after its response or its time limit, and once when it did not reach the server. */
  report(forwarded: Forwarded): void;
}

/**
 * Posts events to `target` like a webhook subscription. An event that did not reach the server, for example because it is
 * not running, is posted again until there is a response. One that the server does not answer within the time limit is
 * reported and passed, so that it does not hold up the others.
 */
export function startForwarding({ target, secret, report }: ForwardOptions) {
  const subscriptionId = randomUUID();
  const inFlight = new Map<number, Promise<void>>();
  const ending = new AbortController();
  let newest: number | undefined;

  /** Resolves to whether the event is over: there was a response, or none within the time limit. */
  async function post({ type, data }: FollowedEvent, number: number): Promise<boolean> {
    const { body, eventId, marks } = toWebhook(data);
    const signed = { target, secret, subscriptionId, eventId, eventType: type, body, marks };
    for (let failures = 0; ; failures++) {
      const result = await postSigned(signed);
      const isOver = result.status !== null || result.error === TIMED_OUT;
      if (isOver || failures === 0) {
        report({ ...result, number, eventId, type, isReplay: "x-webhook-replay" in marks });
      }
      if (isOver || ending.signal.aborted) return isOver;
      const pauseMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)];
      await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined);
      if (ending.signal.aborted) return false;
    }
  }

  return {
    /** Resolves when there is capacity for another event. */
    async forward(event: FollowedEvent): Promise<void> {
      if (ending.signal.aborted) return;
      const number = Number(event.id);
      newest = number;
      // The position stays before an event that is not over. After a move back, the same event may be posted again.
      const posted: Promise<void> = post(event, number).then((isOver) => {
        if (isOver && inFlight.get(number) === posted) inFlight.delete(number);
      });
      inFlight.set(number, posted);
      if (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight.values());
    },
    /** Lets the posts under way end, and starts none. Takes as long as a response may. */
    async finish(): Promise<void> {
      ending.abort();
      await Promise.allSettled(inFlight.values());
    },
    /**
     * The number of the last event up to which every event is over; undefined before the first event. After a move back,
     * at most the last event that was forwarded again.
     */
    position(): number | undefined {
      const [oldest] = [...inFlight.keys()].sort((left, right) => left - right);
      return oldest === undefined || newest === undefined ? newest : Math.min(newest, oldest - 1);
    },
  };
}

// A replayed webhook has the original body and headers that mark it as a replay.
function toWebhook(data: string): { body: string; eventId: string; marks: Record<string, string> } {
  const { replay, ...envelope } = JSON.parse(data) as { replay?: string; event_id: string };
  const eventId = envelope.event_id;
  if (replay === undefined) return { body: data, eventId, marks: {} };
  const marks = { "x-webhook-replay": "true", "x-webhook-replay-id": replay };
  return { body: JSON.stringify(envelope), eventId, marks };
}
