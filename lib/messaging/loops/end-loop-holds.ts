import "server-only";
import { endHold } from "@/lib/messaging/loops/resume-chat";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const BATCH_ROWS = 100;

/**
 * Resumes chats whose hold for a loop is over, because the contact has not written for an hour or the account has turned
 * holds off, with what `resumeChat` records. The hold no longer counts from that moment on. Returns the number of chats.
 */
export async function endLoopHolds(stop: AbortSignal): Promise<number> {
  let ended = 0;
  while (!stop.aborted) {
    const count = await transaction(endBatch);
    ended += count;
    if (count < BATCH_ROWS) break;
  }
  return ended;
}

// Only chats on hold are in the index.
const FIND_ENDED_LOOP_HOLDS = statement(
  "find-ended-loop-holds",
  `select c.account_id, a.partner_id, a.type, c.id
  from chats c join accounts a on a.id = c.account_id
  where c.loop_held_at is not null and (c.loop_held_until <= :at or a.loop_exchanges is null)
  order by c.account_id, c.id limit ${BATCH_ROWS} for no key update of c skip locked`,
);

async function endBatch(tx: Sql): Promise<number> {
  const at = now();
  const rows = await tx.run(FIND_ENDED_LOOP_HOLDS, { at });
  for (const { account_id, partner_id, type, id } of rows) {
    const account = { id: account_id, partnerId: partner_id, type };
    await endHold(tx, { account, actor: { type: "system" }, traceId: newTraceId(), now: at }, id);
  }
  return rows.length;
}
