import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { setChatState } from "@/lib/messaging/team/chat-state";
import { addTeamEntry } from "@/lib/messaging/team/team-entries";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const BATCH_ROWS = 100;

/**
 * Opens the chats whose snooze has ended. They need a reply until the account writes or someone closes them. Returns the
 * number of chats.
 */
export async function endSnoozes(stop: AbortSignal): Promise<number> {
  let opened = 0;
  while (!stop.aborted) {
    const count = await transaction(openBatch);
    opened += count;
    if (count < BATCH_ROWS) break;
  }
  return opened;
}

const FIND_ENDED_SNOOZES = statement(
  "find-ended-snoozes",
  `select c.account_id, a.partner_id, a.type, c.id, c.line_id, c.snoozed_until
  from chats c join accounts a on a.id = c.account_id
  where c.snoozed_until <= :at order by c.snoozed_until limit ${BATCH_ROWS} for no key update of c skip locked`,
);

async function openBatch(tx: Sql): Promise<number> {
  const at = now();
  const rows = await tx.run(FIND_ENDED_SNOOZES, { at });
  for (const { account_id, partner_id, type, ...chat } of rows) {
    const account = { id: account_id, partnerId: partner_id, type };
    const ctx = { account, actor: { type: "system" as const }, traceId: newTraceId(), now: at };
    await setChatState(tx, account_id, chat.id, { state: "open", snoozedUntil: null, needsReply: true });
    await addTeamEntry(tx, ctx, { chat, kind: "reopened" });
    await recordAudit(tx, ctx, "chat.reopened", "chat", chat.id, { from: "snoozed", reason: "snooze_ended" });
  }
  return rows.length;
}
