import "server-only";
import { emitEvents, type NewEvent, newEvent } from "@/lib/events/store/emit-event";
import { EDIT_EVENTS } from "@/lib/messaging/edits/edit-events";
import { chatEventData, type LockedMessage } from "@/lib/messaging/messages/locked-message";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";

/** A change of one text part of a message. */
export interface TextEdit {
  partIndex: number;
  text: string;
  traceId: string;
  at: Date;
}

const EDIT_TEXT = statement(
  "edit-text",
  `with kept as (
    insert into message_edits (account_id, message_id, id, part_index, text, edited_at)
    select :accountId, :messageId, :editId, :partIndex::int, m.parts->:partIndex::int->>'value', :updatedAt
    from messages m where m.account_id = :accountId and m.id = :messageId
  )
  update messages set parts = jsonb_set(parts, array[:partIndex::int::text], :part), updated_at = :updatedAt
  where account_id = :accountId and id = :messageId`,
);

/**
 * Replaces the text of a text part, stores the old text for the timeline and emits message.edited. Decorations are
 * removed, because their ranges referred to the old text. Returns the id of the stored old text.
 */
export async function editText(tx: Sql, message: LockedMessage, edit: TextEdit): Promise<string> {
  const { partIndex, text, at } = edit;
  const editId = newId(at.getTime(), message.account_id, "edit", message.id);
  const part = { type: "text", value: text, text_decorations: null };
  await tx.run(EDIT_TEXT, {
    accountId: message.account_id,
    messageId: message.id,
    editId,
    partIndex,
    part: JSON.stringify(part),
    updatedAt: at,
  });
  await emitEvents(tx, [editedEvent(message, edit)]);
  return editId;
}

/** Builds the message.edited event. */
export function editedEvent(message: LockedMessage, { partIndex, text, traceId, at }: TextEdit): NewEvent {
  const data = {
    message: { id: message.id, is_from_me: message.is_from_me },
    chat: chatEventData(message),
    owner_handle: message.me,
    sender_handle: message.sender,
    part: { index: partIndex, text: message.zero_retention && message.is_from_me ? "" : text },
    edited_at: at.toISOString(),
    ...(message.zero_retention ? { zero_retention: true as const } : {}),
  };
  return newEvent(EDIT_EVENTS["message.edited"], { ...eventIds(message), traceId, at }, data);
}

/** The ids in an event about a message. */
export function eventIds(message: LockedMessage) {
  const { account_id, line_id, chat_id, id } = message;
  return { accountId: account_id, lineId: line_id, chatId: chat_id, messageId: id };
}
