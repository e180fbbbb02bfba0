import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { throwNotFoundOrDenied } from "@/lib/messaging/messages/find-message";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { findOnlinePhone } from "@/lib/simulator/phone";
import { untilOnNetwork } from "@/lib/simulator/phone-actions/find/until-on-network";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

/** A message as a phone in its chat identifies it. */
export interface PhoneMessage {
  line: LineRef;
  /** The phone's handle. */
  from: string;
  /** The network's id of the message. */
  ref: string;
}

type Row = RowOf<"find-phone-message">;

/**
 * Finds a message that a simulated phone acts on. Errors: feature_not_available, name_unknown, message_not_found,
 * access_denied, parameter_invalid (the phone is not in its chat), state_conflict (the line is down, or the message has
 * not been sent or was unsent).
 */
export async function findPhoneMessage(
  ctx: Context,
  handle: string,
  messageId: string,
): Promise<PhoneMessage> {
  requireSandbox(ctx);
  const phone = await findOnlinePhone(ctx.account.id, handle);
  const row = await findRow(ctx.account.id, messageId, phone.handle);
  if (row === undefined) return throwNotFoundOrDenied(ctx, messageId);
  if (!row.is_there) fail("parameter_invalid", `${phone.handle} is not in the chat of this message`);
  if (!row.is_up) fail("state_conflict", "the line is down and receives nothing");
  if (row.ref === null) fail("state_conflict", "the message has not been sent yet");
  if (row.is_unsent) failUnsent();
  const { line_id: id, phone_number: phoneNumber, line_type: lineType } = row;
  return {
    line: { accountId: ctx.account.id, id, phoneNumber, lineType },
    from: phone.handle,
    ref: row.ref,
  };
}

/** Throws state_conflict for a message that its sender has unsent. */
export function failUnsent(): never {
  return fail("state_conflict", "the message was unsent, and phones no longer show it");
}

const FIND_UNSENT_PHONE_MESSAGE = plannedStatement(
  "find-unsent-phone-message",
  `select from simulator_messages
  where account_id = :accountId and line_id = :lineId and ref = :ref and unsent_at is not null limit 1`,
);

/** Errors: state_conflict, for a message that its sender has unsent. */
export async function requireShown(accountId: string, lineId: string, ref: string): Promise<void> {
  const unsent = await sql.run(FIND_UNSENT_PHONE_MESSAGE, { accountId, lineId, ref });
  if (unsent.length > 0) failUnsent();
}

async function findRow(accountId: string, messageId: string, handle: string): Promise<Row | undefined> {
  const row = await selectRow(accountId, messageId, handle);
  if (row === undefined || row.ref !== null) return row;
  await untilOnNetwork(accountId, messageId);
  return selectRow(accountId, messageId, handle);
}

const FIND_PHONE_MESSAGE = plannedStatement(
  "find-phone-message",
  `select l.id as line_id, l.phone_number, l.line_type, l.is_up, sent.ref,
    exists (select 1 from participants p where p.account_id = m.account_id and p.chat_id = m.chat_id
      and p.handle = :handle and p.status = 'active') as is_there,
    exists (select 1 from simulator_messages s where s.account_id = m.account_id and s.line_id = m.line_id
      and s.ref = sent.ref and s.unsent_at is not null) as is_unsent
  from messages m join lines l on l.account_id = m.account_id and l.id = m.line_id
  left join lateral (
    select r.ref from transport_refs r
    where r.account_id = m.account_id and r.message_id = m.id order by r.ref limit 1
  ) sent on true
  where m.account_id = :accountId and m.id = :messageId and m.deleted_at is null`,
);

async function selectRow(accountId: string, messageId: string, handle: string): Promise<Row | undefined> {
  const [row] = await sql.run(FIND_PHONE_MESSAGE, { accountId, messageId, handle });
  return row;
}
