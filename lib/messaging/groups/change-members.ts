import "server-only";
import { type ChangedChat, emitChatEvent } from "@/lib/messaging/chats/change-chat";
import { lockChat } from "@/lib/messaging/chats/lock-chat";
import { PARTICIPANT_EVENTS } from "@/lib/messaging/groups/participant-events";
import type { Sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import { type ChatHandle, toChatHandle } from "@/lib/recipients/handles/chat-handle";

type Member = RowOf<"add-member">;

const MEMBER = `m.id, m.handle, m.is_me, m.service, m.status, m.joined_at, m.left_at,
  c.line_type`;

const ADD_MEMBER = statement(
  "add-member",
  `with m as (
    insert into participants as p (account_id, chat_id, id, handle, is_me, service, joined_at)
    select account_id, id, :id, :handle, false, coalesce(service, line_type), :chatAt
    from chats where account_id = :accountId and id = :chatId
    on conflict (account_id, chat_id, handle) do update
      set status = 'active', joined_at = excluded.joined_at, left_at = null, service = excluded.service
      where p.status <> 'active'
    returning *
  )
  select ${MEMBER} from m join chats c on c.account_id = m.account_id and c.id = m.chat_id`,
);

/**
 * Records that a participant, possibly the line itself, joined a group: emits participant.added, and the group is no
 * longer found by its original members (docs/contract.md, section 5.2). Does nothing when the participant is already
 * active.
 */
export async function addMember(tx: Sql, chat: ChangedChat, handle: string): Promise<void> {
  await lockChat(tx, chat);
  const [member] = await tx.run(ADD_MEMBER, {
    accountId: chat.accountId,
    chatId: chat.chatId,
    id: newId(chat.at.getTime(), chat.accountId, chat.chatId, handle),
    handle,
    chatAt: chat.at,
  });
  if (member === undefined) return;

  await emitParticipantAdded(tx, chat, toHandle(member));
}

/** Applies the effects of `addMember` after the participant was stored. The caller holds the lock on the chat. */
export async function emitParticipantAdded(
  tx: Sql,
  chat: ChangedChat,
  participant: ChatHandle,
): Promise<void> {
  await recordNewMembers(tx, chat, participant.is_me ? "is in it again" : "as it was");
  const added_at = chat.at.toISOString();
  await emitChatEvent(tx, chat, PARTICIPANT_EVENTS["participant.added"], {
    chat_id: chat.chatId,
    participant,
    added_at,
  });
}

const REMOVE_MEMBER = statement(
  "remove-member",
  `with m as (
    update participants set status = :status::text::participant_status, left_at = :chatAt
    where account_id = :accountId and chat_id = :chatId and handle = :handle and status = 'active' returning *
  )
  select ${MEMBER} from m join chats c on c.account_id = m.account_id and c.id = m.chat_id`,
);

/**
 * Records that a participant left a group or was removed. When the line itself left, the chat is unavailable. The
 * participant remains in the list of handles (docs/contract.md, section 5.3). Does nothing when the participant is not
 * active.
 */
export async function removeMember(
  tx: Sql,
  chat: ChangedChat,
  handle: string,
  status: "left" | "removed",
): Promise<void> {
  await lockChat(tx, chat);
  const [member] = await tx.run(REMOVE_MEMBER, {
    accountId: chat.accountId,
    chatId: chat.chatId,
    handle,
    status,
    chatAt: chat.at,
  });
  if (member === undefined) return;

  await recordNewMembers(tx, chat, member.is_me ? "has left" : "as it was");
  const removed_at = chat.at.toISOString();
  await emitChatEvent(tx, chat, PARTICIPANT_EVENTS["participant.removed"], {
    chat_id: chat.chatId,
    participant: toHandle(member),
    removed_at,
  });
}

type OwnLine = "as it was" | "is in it again" | "has left";

const NOTE_NEW_MEMBERS = statement(
  "note-new-members",
  `update chats set participants_key = null, updated_at = greatest(updated_at, :at),
    left_at = case :line when 'has left' then coalesce(left_at, :at) when 'as it was' then left_at end
  where account_id = :accountId and id = :chatId`,
);

async function recordNewMembers(
  tx: Sql,
  { accountId, chatId, at }: ChangedChat,
  line: OwnLine,
): Promise<void> {
  await tx.run(NOTE_NEW_MEMBERS, { accountId, chatId, at, line });
}

function toHandle(member: Member): ChatHandle {
  const { is_me: isMe, joined_at: joinedAt, left_at: leftAt } = member;
  return toChatHandle({ ...member, isMe, joinedAt, leftAt }, member.line_type);
}
