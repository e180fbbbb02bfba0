import "server-only";
import { requireAnswerable } from "@/lib/messaging/chats/require-answerable";
import { throwNotFoundOrDenied } from "@/lib/messaging/messages/find-message";
import type { Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import { type ChatHandle, type ParticipantRow, toChatHandle } from "@/lib/recipients/handles/chat-handle";

/** A locked message with its chat and participants. The lock serializes all changes of the message. */
export interface LockedMessage extends Omit<RowOf<"lock-message">, "parties"> {
  /** All current and former participants of the chat, by participant id. */
  handles: ReadonlyMap<string, ChatHandle>;
  /** The line's participant. */
  me: ChatHandle;
  sender: ChatHandle;
}

/** A participant as JSON. */
export type StoredParty = Omit<ParticipantRow, "joinedAt" | "leftAt"> & {
  joinedAt: string;
  leftAt: string | null;
};

const LOCK_MESSAGE = statement(
  "lock-message",
  `select m.account_id, m.id, m.chat_id, m.line_id, m.sender_id, m.is_from_me, m.kind, m.parts as "parts: { type: string; value?: string }[]", m.service,
    m.delivery_status, m.created_at, m.sent_at, m.unsent_at, c.is_group, c.service as chat_service, c.health_status,
    c.health_updated_at, c.left_at, c.line_type, l.status as line_status, l.transport,
    (select a.retention_minutes is not null from accounts a where a.id = m.account_id) as "zero_retention!",
    (select jsonb_agg(jsonb_build_object('id', p.id, 'handle', p.handle, 'isMe', p.is_me,
        'service', p.service, 'status', p.status, 'joinedAt', p.joined_at, 'leftAt', p.left_at))
      from participants p where p.account_id = m.account_id and p.chat_id = m.chat_id) as "parties!: StoredParty[]"
  from messages m
  join chats c on c.account_id = m.account_id and c.id = m.chat_id
  join lines l on l.account_id = m.account_id and l.id = m.line_id
  where m.account_id = :accountId and m.id = :messageId and m.deleted_at is null
  for no key update of m`,
);

/** Locks a message of the account. Returns null when it does not exist or was deleted. */
export async function lockMessage(
  tx: Sql,
  accountId: string,
  messageId: string,
): Promise<LockedMessage | null> {
  const [row] = await tx.run(LOCK_MESSAGE, { accountId, messageId });
  if (row === undefined) return null;
  const { parties, ...message } = row;
  const handles = new Map(parties.map((party) => [party.id, toHandle(party, row.line_type)]));
  const me = [...handles.values()].find((handle) => handle.is_me === true);
  const sender = handles.get(row.sender_id);
  if (me === undefined || sender === undefined)
    throw new Error("a chat without our line, or without a sender");
  return { ...message, handles, me, sender };
}

/**
 * Runs a change of a message in one transaction that holds its lock. Errors: message_not_found (also when deleted),
 * access_denied, chat_unavailable (the line has left the chat), line_restricted, phone_not_e164 (a short code or name,
 * which can't be answered).
 */
export async function withMessage<Done>(
  ctx: Context,
  messageId: string,
  work: (tx: Sql, message: LockedMessage) => Promise<Done>,
): Promise<Done> {
  const outcome = await transaction(async (tx) => {
    const message = await lockMessage(tx, ctx.account.id, messageId);
    if (message === null) return null;
    if (message.left_at !== null)
      fail("chat_unavailable", "this line has left the chat: create another chat");
    if (message.line_status === "FLAGGED") fail("line_restricted");
    if (!message.is_group)
      for (const { is_me, handle } of message.handles.values()) if (is_me !== true) requireAnswerable(handle);
    return { done: await work(tx, message) };
  });
  return outcome === null ? throwNotFoundOrDenied(ctx, messageId) : outcome.done;
}

/** The service of a message, or of its chat; null while it is unknown. */
export function serviceOf({ service, chat_service, line_type }: LockedMessage): ServiceType | null {
  return service ?? chat_service ?? (line_type === "RCS" ? "RCS" : null);
}

/** The chat of a message as stored in its events. */
export function chatEventData(message: LockedMessage) {
  return {
    id: message.chat_id,
    is_group: message.is_group,
    health_status: message.health_status,
    health_updated_at: message.health_updated_at.toISOString(),
  };
}

function toHandle(party: StoredParty, lineType: ServiceType): ChatHandle {
  const leftAt = party.leftAt === null ? null : new Date(party.leftAt);
  return toChatHandle({ ...party, joinedAt: new Date(party.joinedAt), leftAt }, lineType);
}
