import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { advanceMessage, type Step } from "@/lib/messaging/messages/advance-message";
import { type MessageSnapshot, SNAPSHOT, SNAPSHOT_JOINS } from "@/lib/messaging/messages/message-snapshot";
import { CONSEQUENCES } from "@/lib/messaging/messages/send-failure";
import { storeAdvance } from "@/lib/messaging/messages/store-advance";
import { batched } from "@/lib/platform/batch";
import { sql } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";

export type ReceiptEvent = InEvent<"sent" | "delivered" | "read" | "failed">;

/** The send that the receipt belongs to is still in progress. The transport must report the receipt again. */
export class ReceiptTooEarly extends Error {}

/**
 * Applies a delivery receipt to its message: in any order, repeated, or long after the send failed (contract.md 0). Its
 * changes and events are one statement. Receipts from blocked recipients count too: a block drops only what the
 * recipient writes and does (contract.md 1.7). Throws ReceiptTooEarly.
 */
export async function applyReceipt(line: LineRef, receipt: ReceiptEvent): Promise<void> {
  for (;;) {
    const found = await findReported({ line, receipt });
    if (found.message === null && !found.sending) {
      log.info({ lineId: line.id, ref: receipt.ref }, "a receipt for an unknown message was ignored");
      return;
    }
    if (found.message === null || found.sending) throw new ReceiptTooEarly(`receipt of ${receipt.ref}`);

    const advance = advanceMessage(found.message, stepOf(receipt));
    if (advance === null) return;
    const write = {
      was: found.message,
      advance,
      attempt: null,
      dispatchAt: null,
      groupRef: null,
      at: receipt.at,
    };
    if ((await storeAdvance({ ...write, refs: [receipt.ref] })) !== null) return;
    // A concurrent receipt changed the message: apply this one to the new state.
  }
}

function stepOf(receipt: ReceiptEvent): Step {
  const { at, service } = receipt;
  const emitted = service === undefined ? { at } : { at, service };
  if (receipt.type !== "failed") return { ...emitted, type: receipt.type };
  const { kind, message } = receipt.error;
  return { ...emitted, type: "failed", error: CONSEQUENCES[kind].error, reason: message };
}

interface Reported {
  message: MessageSnapshot | null;
  /** The message, or an unknown message of the line, is being sent right now. */
  sending: boolean;
}

const findReported = batched<{ line: LineRef; receipt: ReceiptEvent }, Reported>({
  runOne: async (asked) => (await selectReported([asked]))[0] ?? { message: null, sending: false },
  runMany: selectReported,
});

async function selectReported(asked: { line: LineRef; receipt: ReceiptEvent }[]): Promise<Reported[]> {
  const rows = await sql.query<{ sending: boolean } & (MessageSnapshot | { id: null })>({
    name: "find-reported",
    text: `select message.*, coalesce(message.leased, (
             select true from messages w
             where w.account_id = asked.account_id and w.line_id = asked.line_id and w.dispatch_at is not null
               and w.dispatch_lease_until is not null limit 1), false) as sending
           from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[]) with ordinality
             as asked(account_id, line_id, ref, message_id, ord)
           left join lateral (
             select r.message_id from transport_refs r
             where r.account_id = asked.account_id and r.line_id = asked.line_id and r.ref = asked.ref offset 0
           ) r on true
           left join lateral (
             select ${SNAPSHOT}, m.dispatch_lease_until is not null and m.dispatch_at is not null as leased
             from messages m ${SNAPSHOT_JOINS}
             where m.account_id = asked.account_id and m.id = coalesce(r.message_id, asked.message_id)
               and m.line_id = asked.line_id and m.is_from_me offset 0
           ) message on true
           order by asked.ord`,
    values: [
      asked.map(({ line }) => line.accountId),
      asked.map(({ line }) => line.id),
      asked.map(({ receipt }) => receipt.ref),
      asked.map(({ receipt }) => receipt.messageId ?? null),
    ],
  });
  return rows.map((row) => ({ message: row.id === null ? null : row, sending: row.sending }));
}
