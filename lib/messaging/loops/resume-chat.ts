import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { withdrawNotices } from "@/lib/identity/notices/record-notice";
import { emitChatEvent } from "@/lib/messaging/chats/change-chat";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { findParty } from "@/lib/messaging/chats/find-party";
import { LOOP_NOTICE } from "@/lib/messaging/loops/hold-loop";
import { LOOP_EVENTS } from "@/lib/messaging/loops/loop-events";
import { addTeamEntry } from "@/lib/messaging/team/team-entries";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

export const ResumeChat = contract({
  summary: "Resume API sends to a chat that is on hold for a loop",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  status: 204,
  errors: ["chat_not_found", "access_denied"],
});

const RESUME_CHAT = statement(
  "resume-chat",
  `with was as materialized (
    select account_id, id, loop_held_at from chats where account_id = :accountId and id = :chatId for no key update
  ), resumed as (
    update chats c set loop_held_at = null, loop_held_until = null, exchange_count = 0
    from was where c.account_id = was.account_id and c.id = was.id and was.loop_held_at is not null
    returning c.id
  )
  select c.id, c.line_id, c.is_group, exists (select from resumed) as "resumed!"
  from chats c join was on c.account_id = was.account_id and c.id = was.id`,
);

/**
 * Ends the hold of a chat whose programs answered each other: sends by API tokens are accepted again, and the exchanges
 * are counted anew. A send that is being accepted at the same moment is accepted or rejected. Emits chat.resumed. Leaves
 * a chat that is not on hold as it is. Errors: as `ResumeChat`.
 */
export async function resumeChat(
  ctx: Context,
  { params }: Pick<Input<typeof ResumeChat>, "params">,
): Promise<undefined> {
  await transaction((tx) => endHold(tx, ctx, params.chatId));
}

/** Ends a chat's hold in the caller's transaction. Errors: chat_not_found, access_denied. */
export async function endHold(tx: Sql, ctx: Context, chatId: string): Promise<void> {
  const { id: accountId } = ctx.account;
  const [chat] = await tx.run(RESUME_CHAT, { accountId, chatId });
  if (chat === undefined) return throwNotFoundOrDenied(chatId);
  if (!chat.resumed) return;

  const changed = { accountId, lineId: chat.line_id, chatId, traceId: ctx.traceId, at: ctx.now };
  const { me } = await findParty(tx, changed);
  await emitChatEvent(tx, changed, LOOP_EVENTS["chat.resumed"], {
    chat: { id: chatId, is_group: chat.is_group, owner_handle: me },
    resumed_at: ctx.now.toISOString(),
  });
  await addTeamEntry(tx, ctx, { chat, kind: "loop_resumed" });
  await recordAudit(tx, ctx, "chat.resumed", "chat", chatId, {});
  await withdrawNotices(tx, { accountId, objectId: chatId, kinds: [LOOP_NOTICE], at: ctx.now });
}

const LIST_HELD_CHATS = statement(
  "list-held-chats",
  "select id from chats where account_id = :accountId and loop_held_at is not null order by id",
);

/** Resumes every chat of an account that is on hold. For the simulator. */
export async function resumeAllChats(tx: Sql, ctx: Context): Promise<void> {
  const chats = await tx.run(LIST_HELD_CHATS, { accountId: ctx.account.id });
  for (const { id } of chats) await endHold(tx, ctx, id);
}
