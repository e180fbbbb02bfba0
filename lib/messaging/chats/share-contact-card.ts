import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { findCards } from "@/lib/lines/contact-cards/contact-card";
import { recordActionSkipped } from "@/lib/messaging/chats/change-chat";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { findUsableChat, type UsableChat } from "@/lib/messaging/chats/find-usable-chat";
import { queueChatAction } from "@/lib/messaging/chats/queue-chat-action";
import { canDo, requireCreated } from "@/lib/messaging/chats/require-group";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const DAY_MS = 24 * 60 * 60_000;

export const ShareContactCard = contract({
  summary: "Share the line's contact card in a chat",
  description:
    "Shares the line's contact card in a chat, over iMessage only. The card is shared at most once per recipient per day, and only after an outbound message. Otherwise the response is still 204, but nothing is shared.",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  status: 204,
  errors: [
    "chat_not_found",
    "access_denied",
    "chat_being_created",
    "chat_unavailable",
    "phone_not_e164",
    "line_restricted",
    "service_not_supported",
    "contact_card_not_found",
  ],
});

/**
 * Shares the line's active contact card with a chat's recipients: over iMessage, after an outbound message, at most
 * once a day per recipient (docs/contract.md, section 5.6). Otherwise nothing is shared and the chat's timeline shows
 * the reason: published agents share the card together with their first reply and treat an error as fatal
 * (docs/contract.md, section 5.6). Errors: as `ShareContactCard`.
 */
export async function shareContactCard(
  ctx: Context,
  { params }: Pick<Input<typeof ShareContactCard>, "params">,
): Promise<undefined> {
  const chat = await findUsableChat(ctx, params.chatId);
  if (!canDo(chat, "contact_share")) {
    fail("service_not_supported", "contact cards can be shared only over iMessage");
  }
  await requireCard(ctx, chat);
  await requireCreated(ctx, chat);
  const hasOutbound = await findOutbound(ctx, chat);

  await transaction(async (tx) => {
    const changed = {
      accountId: ctx.account.id,
      lineId: chat.line_id,
      chatId: chat.id,
      traceId: ctx.traceId,
      at: ctx.now,
    };
    if (!hasOutbound) return recordActionSkipped(tx, changed, "card_before_message");
    const handles = await recordShares(tx, ctx, chat);
    if (handles.length === 0) return recordActionSkipped(tx, changed, "card_shared_recently");

    await queueChatAction(tx, ctx, chat, { kind: "share_contact_card", payload: { handles } });
    await recordAudit(tx, ctx, "contact_card.shared", "chat", chat.id);
  });
}

async function requireCard(ctx: Context, chat: UsableChat): Promise<void> {
  const cards = await findCards(ctx.account.id, { lineId: chat.line_id });
  if (!cards.some((card) => card.is_active)) {
    fail(
      "contact_card_not_found",
      `${chat.phone_number} has no contact card: create one with POST /v3/contact_card`,
    );
  }
}

const CHAT_HAS_OUTBOUND = statement(
  "chat-has-outbound",
  `select id from messages
  where account_id = :accountId and chat_id = :chatId and is_from_me
    and (sent_at is not null or delivery_status in ('pending', 'queued')) limit 1`,
);

// A pending message counts: the share waits for it.
async function findOutbound(ctx: Context, chat: UsableChat): Promise<boolean> {
  const sent = await sql.run(CHAT_HAS_OUTBOUND, { accountId: ctx.account.id, chatId: chat.id });
  return sent.length > 0;
}

const NOTE_CARD_SHARES = statement(
  "note-card-shares",
  `insert into contact_card_shares as s (account_id, line_id, handle, shared_at)
  select p.account_id, :lineId, p.handle, :now from participants p
  where p.account_id = :accountId and p.chat_id = :chatId and not p.is_me and p.status = 'active' order by p.handle
  on conflict (account_id, line_id, handle) do update set shared_at = excluded.shared_at
    where s.shared_at <= :sharedAt
  returning handle`,
);

// Locks the row of each recipient, so that the second of two concurrent shares sees the first.
async function recordShares(tx: Sql, ctx: Context, chat: UsableChat): Promise<string[]> {
  const rows = await tx.run(NOTE_CARD_SHARES, {
    accountId: ctx.account.id,
    chatId: chat.id,
    lineId: chat.line_id,
    now: ctx.now,
    sharedAt: new Date(ctx.now.getTime() - DAY_MS),
  });
  return rows.map(({ handle }) => handle);
}
