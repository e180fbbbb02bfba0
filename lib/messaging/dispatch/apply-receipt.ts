import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { vendorSql } from "@/lib/lines/connections/connection-vendor";
import { advanceMessage, type Step } from "@/lib/messaging/dispatch/advance-message";
import { hasReceipts } from "@/lib/messaging/dispatch/delivery-status";
import { CONSEQUENCES } from "@/lib/messaging/dispatch/send-failure";
import { storeAdvance } from "@/lib/messaging/dispatch/store-advance";
import { type MessageSnapshot, SNAPSHOT, SNAPSHOT_JOINS } from "@/lib/messaging/messages/message-snapshot";
import { vendorRefSql } from "@/lib/messaging/messages/vendor-ref";
import { batched } from "@/lib/platform/database/batch";
import { sql } from "@/lib/platform/database/db";
import { isJoined, statement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";

export type ReceiptEvent = InEvent<"sent" | "delivered" | "read" | "failed">;

/** The send that the receipt belongs to is still in progress. The transport must report the receipt again. */
export class ReceiptTooEarly extends Error {}

/**
 * Applies a delivery receipt to its message: in any order, repeated, or long after the send failed
 * (docs/contract.md, section 7.5). Its changes and events are one statement. Receipts from blocked recipients count
 * too: a block drops only what the recipient writes and does. A receipt concerns only messages that its vendor account
 * has or may have, and none after the receipt that ended its message. Throws ReceiptTooEarly, unless the receipt has
 * waited and names its message by Trunkline's id.
 */
export async function applyReceipt(line: LineRef, receipt: ReceiptEvent): Promise<void> {
  for (;;) {
    const found = await findReported({ line, receipt });
    const { message, sending } = found;
    if (message === null && !sending) {
      log.info({ lineId: line.id, ref: receipt.ref }, "a receipt for an unknown message was ignored");
      return;
    }
    const isBeside = sending && receipt.hasWaited === true && receipt.messageId === message?.id;
    if (message === null || (sending && !isBeside)) throw new ReceiptTooEarly(`receipt of ${receipt.ref}`);
    if (found.is_final === true) return;

    const advance = advanceMessage(message, stepOf(receipt, found.is_part));
    const write = {
      was: message,
      attempt: null,
      dispatchAt: null,
      refs: found.stored_ref === null ? [receipt.ref] : [],
      groupRef: null,
      at: receipt.at,
      vendor: found.vendor,
      isBeside,
    };
    // A concurrent receipt, or the end of the attempt, changed the message: apply this one to the new state.
    if (advance !== null && (await storeAdvance({ ...write, advance })) === null) continue;
    if (isEnd(receipt, message)) await endRef({ line, receipt, found, messageId: message.id });
    return;
  }
}

/** Whether the receipt ends its part of the message, although the status of the message does not show it. */
function isEnd({ type, service }: ReceiptEvent, { is_group, service: known }: MessageSnapshot): boolean {
  return type !== "sent" && !hasReceipts({ isGroup: is_group, service: service ?? known });
}

function stepOf(receipt: ReceiptEvent, isPart: boolean): Step {
  const { at, service } = receipt;
  const emitted = { at, isPart, ...(service !== undefined && { service }) };
  if (receipt.type !== "failed") return { ...emitted, type: receipt.type };
  const { kind, message } = receipt.error;
  return { ...emitted, type: "failed", error: CONSEQUENCES[kind].error, reason: message };
}

interface Reported extends ReportedBy {
  message: MessageSnapshot | null;
  /** The message, or an unknown message of the line, is being sent right now. */
  sending: boolean;
}

interface ReportedBy {
  /** The ref of the message as it is stored; null for a message that is found by Trunkline's id alone. */
  stored_ref: string | null;
  /** An earlier receipt has ended this part of the message. */
  is_final: boolean | null;
  /** The failed message was sent in several units, so that the receipt is about one of them. */
  is_part: boolean;
  /** The vendor account that reports; null for a line that has had one only. */
  vendor: number | null;
}

const UNKNOWN: Reported = {
  message: null,
  sending: false,
  stored_ref: null,
  is_final: null,
  is_part: false,
  vendor: null,
};

const findReported = batched<{ line: LineRef; receipt: ReceiptEvent }, Reported>({
  runOne: async (asked) => (await selectReported([asked]))[0] ?? UNKNOWN,
  runMany: selectReported,
});

type Joined = MessageSnapshot & Pick<Reported, "is_part">;

const FIND_MESSAGES_OF_RECEIPTS = statement(
  "find-messages-of-receipts",
  `select message.*, by.vendor, coalesce(message.leased, (
    select true from messages w
    where w.account_id = asked.account_id and w.line_id = asked.line_id and w.dispatch_at is not null
      and w.dispatch_lease_until is not null limit 1), false) as "sending!"
  from unnest(:accountIds::uuid[], :lineIds::uuid[], :refs::text[], :messageIds::uuid[], :connections::int[]) with ordinality
    as asked(account_id, line_id, ref, message_id, connection, ord)
  left join lateral (
    select l.connection_vendors, case when l.connections_made > 1 then ${vendorSql("l", "asked.connection")} end as vendor
    from lines l where l.account_id = asked.account_id and l.id = asked.line_id offset 0
  ) by on true
  left join lateral (
    select ${SNAPSHOT}, m.dispatch_lease_until is not null and m.dispatch_at is not null as leased,
      r.ref as stored_ref, r.is_final, m.delivery_status = 'failed' and (
        select count(*) from transport_refs o where o.account_id = m.account_id and o.message_id = m.id) > 1 as is_part
    from (
      select r.ref, r.is_final, r.message_id, r.ref = asked.ref as is_plain from transport_refs r
      where r.account_id = asked.account_id and r.line_id = asked.line_id
        and r.ref in (asked.ref, ${vendorRefSql("by.vendor", "asked.ref")})
      union all
      select null, null, asked.message_id, null where asked.message_id is not null
    ) r cross join lateral (
      select * from messages m
      where m.account_id = asked.account_id and m.id = r.message_id and m.line_id = asked.line_id and m.is_from_me
        and (by.vendor is null or m.dispatch_connection is null
          or coalesce(by.connection_vendors[m.dispatch_connection], m.dispatch_connection) = by.vendor) offset 0
    ) m ${SNAPSHOT_JOINS}
    order by r.is_plain nulls last limit 1
  ) message on true
  order by asked.ord`,
);

async function selectReported(asked: { line: LineRef; receipt: ReceiptEvent }[]): Promise<Reported[]> {
  const rows = await sql.run(FIND_MESSAGES_OF_RECEIPTS, {
    accountIds: asked.map(({ line }) => line.accountId),
    lineIds: asked.map(({ line }) => line.id),
    refs: asked.map(({ receipt }) => receipt.ref),
    messageIds: asked.map(({ receipt }) => receipt.messageId ?? null),
    connections: asked.map(({ line }) => line.connectionNumber ?? null),
  });
  return rows.map((row) => {
    const { sending, vendor } = row;
    if (!isJoined<Joined>(row)) return { ...UNKNOWN, sending, vendor };
    const { stored_ref, is_final, is_part } = row;
    return { message: row, sending, stored_ref, is_final, is_part, vendor };
  });
}

interface Ending {
  line: LineRef;
  receipt: ReceiptEvent;
  found: Reported;
  messageId: string;
}

/** Records that a receipt ended its part of a message: later receipts of this part are out of date. */
const endRef = batched<Ending, void>({
  runOne: (ending) => endRefs([ending]).then(() => undefined),
  runMany: endRefs,
  keyOf: ({ line, receipt }) => `${line.id} ${receipt.ref}`,
});

const MARK_REFS_FINAL = statement(
  "mark-refs-final",
  `insert into transport_refs (account_id, line_id, ref, message_id, is_final)
  select distinct on (account_id, line_id, ref) account_id, line_id, ref, message_id, true
  from unnest(:accountIds::uuid[], :lineIds::uuid[], :refs::text[], :messageIds::uuid[])
    as t(account_id, line_id, ref, message_id)
  order by account_id, line_id, ref
  on conflict (account_id, line_id, ref) do update set is_final = true
  where transport_refs.message_id = excluded.message_id and not transport_refs.is_final`,
);

async function endRefs(endings: Ending[]): Promise<undefined[]> {
  await sql.run(MARK_REFS_FINAL, {
    accountIds: endings.map(({ line }) => line.accountId),
    lineIds: endings.map(({ line }) => line.id),
    refs: endings.map(({ receipt, found }) => found.stored_ref ?? receipt.ref),
    messageIds: endings.map(({ messageId }) => messageId),
  });
  return endings.map(() => undefined);
}
