import "server-only";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { recordAudit, recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { LINE_EVENTS } from "@/lib/lines/lines/line-events";
import type { AccountRef, Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { newId, newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

export interface NewLine {
  /** E.164. A number can be only one line in the whole instance. */
  phoneNumber: string;
  lineType: "iMessage" | "RCS";
  /** A name in the transport registry. */
  transport: string;
}

/**
 * Assigns a phone number to an account as a line. `by` is the actor; without it, the operator. Throws when the number
 * is already a line.
 */
export function createLine(account: AccountRef, line: NewLine, by?: Context): Promise<{ id: string }> {
  return transaction((tx) => insertLine(tx, account, line, by));
}

const INSERT_LINE = plannedStatement(
  "insert-line",
  `insert into lines (account_id, id, phone_number, line_type, transport, created_at, is_stopped)
  values (:accountId, :id, :phoneNumber, :lineType::text::service_type, :transport, :createdAt,
    (select archived_at is not null from accounts where id = :accountId for share))`,
);

/** As `createLine`, in the caller's transaction. */
export async function insertLine(
  tx: Sql,
  account: AccountRef,
  line: NewLine,
  by?: Context,
): Promise<{ id: string }> {
  const at = now();
  const id = newId(at.getTime(), account.id, "line", line.phoneNumber);
  await tx.run(INSERT_LINE, {
    accountId: account.id,
    id,
    phoneNumber: line.phoneNumber,
    lineType: line.lineType,
    transport: line.transport,
    createdAt: at,
  });
  const scope = { partnerId: account.partnerId, accountId: account.id, at };
  if (by === undefined) await recordSystemAudit(tx, scope, "line.created", "line", id, { ...line });
  else await recordAudit(tx, by, "line.created", "line", id, { ...line });
  const about = {
    accountId: account.id,
    lineId: id,
    chatId: null,
    messageId: null,
    traceId: newTraceId(),
    at,
  };
  const data = { phone_number: line.phoneNumber, changed_at: at.toISOString() };
  await emitEvents(tx, [newEvent(LINE_EVENTS["phone_number.assigned"], about, data)]);
  return { id };
}
