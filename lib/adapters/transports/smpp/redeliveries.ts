import "server-only";
import { randomUUID } from "node:crypto";

/** How long a response counts as possibly lost when the connection ends. */
const ARRIVES_MS = 5000;
/** How long an SMS center may take to deliver a message again. */
const REPEATED_MS = 600_000;

interface Delivery {
  content: string;
  ref: string;
  endedAt: number | null;
}

/** The references of inbound messages, which have no IDs of their own. */
export interface Redeliveries {
  /** Returns the reference of a delivery with this content. Call `end` once its response was determined. */
  begin(content: string): { ref: string; end(): void };
  /** The connection ended. */
  closed(): void;
}

/**
 * An SMS center delivers a message again when the connection ended before it had the response. Such a delivery gets the
 * reference of the first one, so that the message is stored once. Equal messages of a person on the same connection are
 * different messages.
 */
export function createRedeliveries(): Redeliveries {
  let live: Delivery[] = [];
  let uncertain: Delivery[] = [];

  return {
    begin(content) {
      const now = performance.now();
      live = live.filter(({ endedAt }) => endedAt === null || now - endedAt < ARRIVES_MS);
      uncertain = uncertain.filter(({ endedAt }) => endedAt === null || now - endedAt < REPEATED_MS);
      const repeated = uncertain.find((earlier) => earlier.content === content);
      if (repeated !== undefined) uncertain.splice(uncertain.indexOf(repeated), 1);
      const delivery: Delivery = { content, ref: repeated?.ref ?? randomUUID(), endedAt: null };
      live.push(delivery);
      return {
        ref: delivery.ref,
        end() {
          delivery.endedAt = performance.now();
        },
      };
    },
    closed() {
      const now = performance.now();
      uncertain.push(...live.filter(({ endedAt }) => endedAt === null || now - endedAt < ARRIVES_MS));
      live = [];
    },
  };
}
