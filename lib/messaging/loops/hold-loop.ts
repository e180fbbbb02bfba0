import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { recordNotice } from "@/lib/identity/notices/record-notice";
import { emitChatEvent } from "@/lib/messaging/chats/change-chat";
import { findParty } from "@/lib/messaging/chats/find-party";
import { HOLD_MINUTES } from "@/lib/messaging/loops/counted-exchanges-sql";
import { LOOP_EVENTS } from "@/lib/messaging/loops/loop-events";
import { addTeamEntry } from "@/lib/messaging/team/team-entries";
import type { Context } from "@/lib/platform/context";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

/** The notice about a chat on hold. */
export const LOOP_NOTICE = "chat_loop";

// A chat that a person has resumed meanwhile has fewer exchanges. The lock waits for a change of the account's options.
const HOLD_LOOP = statement(
  "hold-loop",
  `with a as materialized (
    select id, partner_id, type from accounts where id = :accountId and loop_exchanges is not null for share
  )
  update chats c set loop_held_at = :now, loop_held_until = :until from a
  where c.account_id = :accountId and a.id = c.account_id and c.id = :chatId
    and c.loop_held_at is null and c.exchange_count >= :counted
  returning c.id, c.line_id, c.is_group, a.partner_id, a.type`,
);

/**
 * Puts a chat on hold: sends by API tokens fail with 2015 until a person resumes the chat, or the contact has not
 * written for `HOLD_MINUTES`. Emits chat.loop_detected, and
 * adds a notice, an audit entry and a line on the timeline. Does nothing when the chat was resumed since `counted`
 * exchanges were counted, when it is on hold, or when the account has turned holds off.
 */
export async function holdLoop(
  { accountId, chatId, traceId }: { accountId: string; chatId: string; traceId: string },
  { type: loop, counted }: { type: "fast" | "same"; counted: number },
): Promise<void> {
  await transaction(async (tx) => {
    const at = now();
    const until = new Date(at.getTime() + HOLD_MINUTES * 60_000);
    const [chat] = await tx.run(HOLD_LOOP, { accountId, chatId, counted, now: at, until });
    if (chat === undefined) return;

    const account = { id: accountId, partnerId: chat.partner_id, type: chat.type };
    const ctx: Context = { account, actor: { type: "system" }, traceId, now: at };
    const changed = { accountId, lineId: chat.line_id, chatId, traceId, at };
    const { me } = await findParty(tx, changed);
    await emitChatEvent(tx, changed, LOOP_EVENTS["chat.loop_detected"], {
      chat: { id: chatId, is_group: chat.is_group, owner_handle: me },
      loop,
      exchanges: counted,
      held_at: at.toISOString(),
    });
    await addTeamEntry(tx, ctx, { chat, kind: "loop_held" });
    await recordAudit(tx, ctx, "chat.loop_held", "chat", chatId, { loop, exchanges: counted });
    await recordNotice(tx, {
      accountId,
      kind: LOOP_NOTICE,
      severity: "warning",
      title: "A chat is on hold: two programs seem to answer each other",
      body: `API sends to the chat fail with 2015 after ${counted} exchanges in a row. Open the chat, stop the loop, and resume the sends. They also resume when the contact has not written for ${HOLD_MINUTES} minutes.`,
      link: `/chats/${chatId}`,
      objectId: chatId,
      at,
    });
  });
}
