import "server-only";
import { z } from "zod";
import { mayReadPayload } from "@/lib/events/catalog/hide-payload";
import { DeliveryState, deliveryState } from "@/lib/events/store/delivery-state";
import { summarizeEvent } from "@/lib/events/store/event-view";
import { toWholeData } from "@/lib/events/store/stored-data";
import type { Context } from "@/lib/platform/context";
import type { RowOf } from "@/lib/platform/database/statement";

/** A delivery with the result of its last attempt, for lists. */
export const DeliveryView = z.object({
  id: z.uuid(),
  subscription_id: z.uuid(),
  event: z.object({
    seq: z.int(),
    id: z.uuid(),
    type: z.string(),
    line_id: z.uuid().nullable(),
    chat_id: z.uuid().nullable(),
    message_id: z.uuid().nullable(),
    trace_id: z.string(),
    created_at: z.iso.datetime(),
    /** The name of the chat's group or the handle of its recipient; null for events without a chat. */
    recipient: z.string().nullable(),
    /** The beginning of the text, the reason of the failure or the change. Empty without the right to read it. */
    subject: z.string(),
  }),
  /**
   * The delivery's number among the subscription's deliveries for this chat; null when only a replay sends the event.
   */
  sequence: z.int().nullable(),
  status: DeliveryState,
  /** Number of attempts started. */
  attempts: z.int(),
  /** The time of the next attempt; null when the delivery has ended or waits for something else. */
  next_attempt_at: z.iso.datetime().nullable(),
  /** What a delivery without a time waits for; null for all others. */
  waits_for: z
    .enum(["replay", "earlier_event", "person"])
    .nullable()
    .describe(
      "`replay`: its replay holds it back. `earlier_event`: an earlier event of its chat. `person`: it permanently failed and stopped its chat.",
    ),
  /** When it stopped its chat; null unless it is `stopped`. */
  stopped_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  /** The replay that created the delivery. */
  replay_id: z.uuid().nullable(),
  last_attempt: z
    .object({
      /** 1 for the first attempt. */
      number: z.int(),
      started_at: z.iso.datetime(),
      status_code: z.int().nullable(),
      /** The reason why there was no response. */
      error: z.string().nullable(),
      latency_ms: z.number(),
    })
    .nullable(),
});

export type DeliveryView = z.infer<typeof DeliveryView>;

export type DeliveryViewRow = Omit<RowOf<"read-delivery">, "target_url" | "name" | "deleted_at" | "version">;

export const DELIVERY_VIEW_COLUMNS = `d.id, d.subscription_id, d.event_seq, e.id as event_id, e.type, e.line_id, e.chat_id,
  e.message_id, e.trace_id, e.created_at as event_at, e.data, coalesce(c.display_name, c.recipient_handle) as recipient, d.sequence,
  ${deliveryState("d")} as "status!: DeliveryState", d.attempts, d.run_at, d.queue_chat_id, d.stopped_at, d.created_at, d.ended_at,
  d.replay_id, a.number, a.started_at, a.status_code, a.error, a.latency_ms`;

/** Deliveries `d` with their events `e`. */
export const COUNTED_FROM = `webhook_deliveries d
  join events e on e.account_id = d.account_id and e.seq = d.event_seq`;

/** Deliveries `d` with their events `e`, last attempts `a` and chats `c`. */
export const DELIVERY_VIEW_FROM = `${COUNTED_FROM}
  left join lateral (
    select number, started_at, status_code, error, latency_ms from webhook_attempts
    where account_id = d.account_id and event_seq = d.event_seq and delivery_id = d.id
    order by number desc limit 1) a on true
  left join chats c on c.account_id = d.account_id and c.id = e.chat_id`;

export function toDeliveryView(ctx: Context, row: DeliveryViewRow): DeliveryView {
  const { number, started_at, status_code, error, latency_ms } = row;
  return {
    id: row.id,
    subscription_id: row.subscription_id,
    event: {
      seq: Number(row.event_seq),
      id: row.event_id,
      type: row.type,
      line_id: row.line_id,
      chat_id: row.chat_id,
      message_id: row.message_id,
      trace_id: row.trace_id,
      created_at: row.event_at.toISOString(),
      recipient: row.recipient,
      subject: subjectOf(ctx, row),
    },
    sequence: row.sequence === null ? null : Number(row.sequence),
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.run_at?.toISOString() ?? null,
    waits_for: waitsFor(row),
    stopped_at: row.status === "stopped" ? (row.stopped_at?.toISOString() ?? null) : null,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    replay_id: row.replay_id,
    last_attempt:
      number === null || started_at === null || latency_ms === null
        ? null
        : { number, started_at: started_at.toISOString(), status_code, error, latency_ms },
  };
}

function waitsFor(row: DeliveryViewRow): DeliveryView["waits_for"] {
  if (row.status === "stopped") return "person";
  if (row.status !== "waiting" || row.run_at !== null) return null;
  return row.queue_chat_id === null ? "replay" : "earlier_event";
}

function subjectOf(ctx: Context, { type, data }: DeliveryViewRow): string {
  return mayReadPayload(ctx, type) ? summarizeEvent(toWholeData(data)) : "";
}
