import "server-only";
import { type ChangedChat, emitChatEvent } from "@/lib/messaging/chats/change-chat";
import { lockChat } from "@/lib/messaging/chats/lock-chat";
import { PARTICIPANT_EVENTS } from "@/lib/messaging/groups/participant-events";
import type { Sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import type { ParticipantStatus, ServiceType } from "@/lib/platform/prisma/enums";
import { type ChatHandle, toChatHandle } from "@/lib/recipients/handles/chat-handle";

interface Member {
  id: string;
  handle: string;
  is_me: boolean;
  service: ServiceType;
  status: ParticipantStatus;
  joined_at: Date;
  left_at: Date | null;
  line_type: ServiceType;
}

const MEMBER = `m.id, m.handle, m.is_me, m.service::text as service, m.status::text as status, m.joined_at, m.left_at,
  c.line_type::text as line_type`;

/**
 * Records that a participant, possibly the line itself, joined a group: emits participant.added, and the group is no
 * longer found by its original members (contract.md 1.1). Does nothing when the participant is already active.
 */
export async function addMember(tx: Sql, chat: ChangedChat, handle: string): Promise<void> {
  await lockChat(tx, chat);
  const [member] = await tx.query<Member>({
    name: "add-member",
    text: `with m as (
             insert into participants as p (account_id, chat_id, id, handle, is_me, service, joined_at)
             select account_id, id, $3, $4, false, coalesce(service, line_type), $5
             from chats where account_id = $1 and id = $2
             on conflict (account_id, chat_id, handle) do update
               set status = 'active', joined_at = excluded.joined_at, left_at = null, service = excluded.service
               where p.status <> 'active'
             returning *
           )
           select ${MEMBER} from m join chats c on c.account_id = m.account_id and c.id = m.chat_id`,
    values: [
      chat.accountId,
      chat.chatId,
      newId(chat.at.getTime(), chat.accountId, chat.chatId, handle),
      handle,
      chat.at,
    ],
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

/**
 * Records that a participant left a group or was removed. When the line itself left, the chat is unavailable. The
 * participant remains in the list of handles (partner-api.md, Participant status). Does nothing when the participant is
 * not active.
 */
export async function removeMember(
  tx: Sql,
  chat: ChangedChat,
  handle: string,
  status: "left" | "removed",
): Promise<void> {
  await lockChat(tx, chat);
  const [member] = await tx.query<Member>({
    name: "remove-member",
    text: `with m as (
             update participants set status = $4::text::participant_status, left_at = $5
             where account_id = $1 and chat_id = $2 and handle = $3 and status = 'active' returning *
           )
           select ${MEMBER} from m join chats c on c.account_id = m.account_id and c.id = m.chat_id`,
    values: [chat.accountId, chat.chatId, handle, status, chat.at],
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

async function recordNewMembers(
  tx: Sql,
  { accountId, chatId, at }: ChangedChat,
  line: OwnLine,
): Promise<void> {
  await tx.query({
    name: "note-new-members",
    text: `update chats set participants_key = null, updated_at = greatest(updated_at, $3),
             left_at = case $4 when 'has left' then coalesce(left_at, $3) when 'as it was' then left_at end
           where account_id = $1 and id = $2`,
    values: [accountId, chatId, at, line],
  });
}

function toHandle(member: Member): ChatHandle {
  const { is_me: isMe, joined_at: joinedAt, left_at: leftAt } = member;
  return toChatHandle({ ...member, isMe, joinedAt, leftAt }, member.line_type);
}
