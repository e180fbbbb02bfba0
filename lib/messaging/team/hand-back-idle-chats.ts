import "server-only";
import { releaseHold } from "@/lib/messaging/team/hand-back-chat";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const BATCH_ROWS = 100;

/**
 * Records that idle chats went back to the API, in the audit log and on their timelines. Their sends are accepted from
 * `held_until` on, whether or not this has run. Returns the number of chats.
 */
export async function handBackIdleChats(stop: AbortSignal): Promise<number> {
  let released = 0;
  while (!stop.aborted) {
    const count = await transaction(releaseBatch);
    released += count;
    if (count < BATCH_ROWS) break;
  }
  return released;
}

const FIND_IDLE_HOLDS = statement(
  "find-idle-holds",
  `select c.account_id, a.partner_id, a.type, c.id, c.line_id, c.held_by
  from chats c join accounts a on a.id = c.account_id
  where c.held_until <= :heldUntil order by c.held_until limit ${BATCH_ROWS} for no key update of c skip locked`,
);

async function releaseBatch(tx: Sql): Promise<number> {
  const at = now();
  const rows = await tx.run(FIND_IDLE_HOLDS, { heldUntil: at });
  for (const { account_id, partner_id, type, ...chat } of rows) {
    const account = { id: account_id, partnerId: partner_id, type };
    const ctx = { account, actor: { type: "system" as const }, traceId: newTraceId(), now: at };
    await releaseHold(tx, ctx, chat, "idle");
  }
  return rows.length;
}
