import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { toService } from "@/lib/adapters/transports/imsg/imsg-chats";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import { now } from "@/lib/platform/time/clock";

/** The result of message.send_status. A message without a row is pending, and has no service and no fields. */
export const SendStatus = z.object({
  send_state: z.enum(["pending", "sent", "delivered", "failed"]).catch("pending"),
  guid: z.string().nullish().catch(null),
  service: z.string().nullish().catch(null),
  status_fields: z
    .object({ error: z.number().catch(0), date_read: z.string().nullish() })
    .nullish()
    .catch(null),
});

export type SendStatus = z.infer<typeof SendStatus>;

const FIRST_CHECK_MS = 1000;
const MAX_CHECK_MS = 60_000;
const TRACKED_MS = 24 * 60 * 60 * 1000;
const MAX_TRACKED = 5000;

interface Tracked {
  state: "pending" | "sent" | "delivered";
  since: number;
  pauseMs: number;
  nextAt: number;
}

/**
 * The receipts of sent messages. imsg does not report them, so each message is asked about: soon after it was sent, and
 * then less and less often for a day.
 */
export interface ReceiptTracker {
  track(ref: string): void;
  /** The messages to ask about now. */
  due(): string[];
  /** Returns the events that a status stands for. Call `store` once they are stored. */
  read(ref: string, status: SendStatus): { events: InEvent[]; store(): void };
}

export function createReceiptTracker(): ReceiptTracker {
  const tracked = new Map<string, Tracked>();

  return {
    track(ref) {
      const now = performance.now();
      tracked.set(ref, {
        state: "pending",
        since: now,
        pauseMs: FIRST_CHECK_MS,
        nextAt: now + FIRST_CHECK_MS,
      });
      const [oldest] = tracked.keys();
      if (tracked.size > MAX_TRACKED && oldest !== undefined) tracked.delete(oldest);
    },
    due() {
      const now = performance.now();
      for (const [ref, { since }] of tracked) if (now - since > TRACKED_MS) tracked.delete(ref);
      return [...tracked].flatMap(([ref, { nextAt }]) => (nextAt <= now ? ref : []));
    },
    read(ref, status) {
      const entry = tracked.get(ref);
      if (entry === undefined) return { events: [], store: () => undefined };
      const events = eventsOf(ref, entry.state, status);
      const isFinal = status.send_state === "failed" || isRead(status);
      return {
        events,
        store() {
          if (isFinal) tracked.delete(ref);
          if (status.send_state !== "failed") entry.state = status.send_state;
          entry.pauseMs = events.length > 0 ? FIRST_CHECK_MS : Math.min(entry.pauseMs * 2, MAX_CHECK_MS);
          entry.nextAt = performance.now() + entry.pauseMs;
        },
      };
    },
  };
}

function eventsOf(ref: string, known: Tracked["state"], status: SendStatus): InEvent[] {
  const service = toService(status.service);
  const receipt = { ref, at: now(), ...(service !== null && { service }) };
  if (status.send_state === "failed") {
    const reason = `Messages reports error ${status.status_fields?.error ?? 0}`;
    return [{ type: "failed", ...receipt, error: new AdapterError("undeliverable", reason) }];
  }
  const events: InEvent[] = [];
  if (status.send_state === "sent" && known === "pending") events.push({ type: "sent", ...receipt });
  if (status.send_state === "delivered" && known !== "delivered")
    events.push({ type: "delivered", ...receipt });
  if (isRead(status)) events.push({ type: "read", ...receipt });
  return events;
}

function isRead({ status_fields }: SendStatus): boolean {
  return status_fields?.date_read != null;
}
