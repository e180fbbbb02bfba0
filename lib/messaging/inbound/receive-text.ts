import "server-only";
import type { InboundMessage } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { StoredPart } from "@/lib/messaging/content/message-part";
import { toReceivedPart } from "@/lib/messaging/content/received-part";
import type { Arrival } from "@/lib/messaging/inbound/find-inbound-chat";
import { RECEIVE_TEXTS } from "@/lib/messaging/inbound/receive-statement";
import type { MessageEventData } from "@/lib/messaging/messages/message-event-data";
import { batched } from "@/lib/platform/database/batch";
import { sql } from "@/lib/platform/database/db";
import { toArrays } from "@/lib/platform/database/input-columns";
import { newId } from "@/lib/platform/ids";

/** The ids of a stored inbound message, whether it was stored now or earlier. */
export interface Received {
  chatId: string;
  messageId: string;
  /**
   * The exchanges of the chat in a row, of which the message ends one; null = it ends none, it was stored earlier, or the
   * chat is on hold for a loop.
   */
  exchangeCount: number | null;
}

const receiveBatched = batched<Arrival, Received | null>({
  runOne: async (arrival) => (await receiveAll([arrival]))[0] ?? null,
  runMany: receiveAll,
  // The statement locks the contact, once a batch; the texts of one person keep their order.
  keyOf: ({ line, inbound }) => `${line.accountId} ${inbound.from}`,
  besideAfterMs: 1,
});

/** Whether a direct message consists of text alone. */
export function isPlainText(inbound: InboundMessage): boolean {
  return (
    inbound.groupRef === null &&
    inbound.others.length === 0 &&
    inbound.parts.length > 0 &&
    inbound.parts.every(({ type }) => type === "text")
  );
}

/**
 * Stores a plain text of a known person in a known chat, with its events. Texts that arrive while a statement is running
 * share the next one. Returns null, and stores nothing, when anything is unusual: the caller then stores it step by step.
 */
export async function receiveText(arrival: Arrival): Promise<Received | null> {
  const received = await receiveBatched(arrival);
  if (received === null) return null;
  sql.wake("events");
  sql.wake("deliveries");
  return received;
}

async function receiveAll(arrivals: Arrival[]): Promise<(Received | null)[]> {
  const rows = await sql.run(RECEIVE_TEXTS, toArrays(arrivals.map(parametersOf)));
  if (rows.some(({ has_turns }) => has_turns)) sql.wake("turns");
  const stored = new Map(rows.map((row) => [row.id, row]));
  return arrivals.map(({ messageId }) => {
    const row = stored.get(messageId);
    return row === undefined ? null : { chatId: row.chat_id, messageId, exchangeCount: row.exchange_count };
  });
}

function parametersOf({ line, inbound, messageId, traceId, at }: Arrival) {
  const parts = partsOf(line, inbound);
  const effect = inbound.effect ?? null;
  const reconciledAt = inbound.isLive === false ? at : null;
  const message: MessageEventData["message"] = {
    id: messageId,
    is_from_me: false,
    parts,
    effect,
    // The statement fills it in.
    reply_to: null,
    idempotency_key: null,
    preferred_service: null,
    service: inbound.service,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    sent_at: inbound.at.toISOString(),
    delivered_at: null,
    read_at: null,
    reconciled_at: reconciledAt?.toISOString() ?? null,
  };
  return {
    accountId: line.accountId,
    lineId: line.id,
    lineType: line.lineType === "iMessage" ? "iMessage" : "RCS",
    ownHandle: line.phoneNumber,
    handle: inbound.from,
    ref: inbound.ref,
    id: messageId,
    eventId: newId(at.getTime(), line.accountId, "message.received", messageId),
    parts: JSON.stringify(parts),
    effect: effect === null ? null : JSON.stringify(effect),
    service: inbound.service,
    traceId,
    at,
    sentAt: inbound.at,
    reconciledAt,
    replyRef: inbound.replyTo?.ref ?? null,
    replyPart: inbound.replyTo?.part ?? null,
    message: JSON.stringify(message),
  };
}

function partsOf(line: LineRef, { parts, service }: InboundMessage): StoredPart[] {
  const seen = { own: line.phoneNumber, reportsMentions: service === "iMessage" };
  return parts.flatMap((part) => toReceivedPart(part, null, seen) ?? []);
}
