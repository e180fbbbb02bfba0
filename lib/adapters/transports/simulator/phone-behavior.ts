import "server-only";
import {
  actAsCustomer,
  type CustomerBehavior,
  type PaymentMessage,
} from "@/lib/adapters/transports/customer-port";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import { seededId } from "@/lib/platform/crypto/seeded-id";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** The ways in which a phone acts by itself: all but `refuses_cards` when it reads a message. */
export type PhoneBehavior =
  | "replies"
  | "echoes"
  | "answers_stop"
  | "changes_service"
  | "refuses_cards"
  | CustomerBehavior;

const CUSTOMERS: ReadonlySet<string | null> = new Set<CustomerBehavior>([
  "pays",
  "declines",
  "approves",
  "denies",
]);

/** A message that a phone has just read. */
interface ReadMessage {
  line: LineRef;
  handle: string;
  ref: string;
  service: ServiceType;
  behavior: string | null;
  at: Date;
}

const MAKE_PHONE_SMS_ONLY = plannedStatement(
  "make-phone-sms-only",
  "update simulator_phones set platform = 'sms_only' where account_id = :accountId and handle = :handle",
);

/**
 * Acts on a message that the phone has read: replies, or changes the phone's service. A repeat changes nothing, because
 * the reply's reference follows from the message's.
 */
export async function actOnRead(message: ReadMessage, sink: Sink): Promise<void> {
  const { behavior, line, handle } = message;
  if (behavior === "changes_service") {
    await sql.run(MAKE_PHONE_SMS_ONLY, { accountId: line.accountId, handle });
  }
  const text = await replyTo(message);
  if (text !== null) await reply(message, text, sink);
}

async function replyTo(message: ReadMessage): Promise<string | null> {
  const { behavior, line, handle } = message;
  if (isCustomer(behavior)) {
    return actAsCustomer({ accountId: line.accountId, handle, behavior, parts: await findParts(message) });
  }
  if (behavior === "replies") return "Thanks, got your message!";
  if (behavior === "answers_stop") return "STOP";
  if (behavior !== "echoes") return null;
  const texts = (await findParts(message)).flatMap(({ type, value }) =>
    type === "text" ? [String(value)] : [],
  );
  return texts.length === 0 ? null : texts.join(" ");
}

function isCustomer(behavior: string | null): behavior is CustomerBehavior {
  return CUSTOMERS.has(behavior);
}

const FIND_PHONE_MESSAGE_PARTS = plannedStatement(
  "find-phone-message-parts",
  "select parts from simulator_messages where account_id = :accountId and line_id = :lineId and ref = :ref and handle = :handle",
);

async function findParts({ line, ref, handle }: ReadMessage): Promise<PaymentMessage["parts"]> {
  const [row] = await sql.run(FIND_PHONE_MESSAGE_PARTS, {
    accountId: line.accountId,
    lineId: line.id,
    ref,
    handle,
  });
  return row?.parts ?? [];
}

const INSERT_PHONE_REPLY = plannedStatement(
  "insert-phone-reply",
  `insert into simulator_messages
    (account_id, line_id, handle, ref, sender, service, parts, created_at, delivered_at)
  values (:accountId, :lineId, :handle, :replyRef, :handle, :service::text::service_type, :parts, :createdAt, :createdAt) on conflict do nothing`,
);

async function reply({ line, handle, ref, service, at }: ReadMessage, value: string, sink: Sink) {
  const parts = [{ type: "text" as const, value }];
  const replyRef = seededId(ref, `reply of ${handle}`);
  await sink.receive(line, [
    {
      type: "message",
      ref: replyRef,
      groupRef: null,
      from: handle,
      others: [],
      service,
      at,
      isLive: true,
      effect: null,
      replyTo: null,
      parts,
    },
  ]);
  await sql.run(INSERT_PHONE_REPLY, {
    accountId: line.accountId,
    lineId: line.id,
    handle,
    replyRef,
    service,
    parts: JSON.stringify(parts),
    createdAt: at,
  });
}
