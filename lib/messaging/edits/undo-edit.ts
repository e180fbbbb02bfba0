import "server-only";
import { emitEvents } from "@/lib/events/store/emit-event";
import { editedEvent, type TextEdit } from "@/lib/messaging/edits/edit-text";
import type { LockedMessage } from "@/lib/messaging/messages/locked-message";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const UNDO_EDIT = statement(
  "undo-edit",
  `with undone as (
    delete from message_edits where account_id = :accountId and message_id = :messageId and id = :editId returning text
  ), later as materialized (
    select id from message_edits
    where account_id = :accountId and message_id = :messageId and id > :editId and part_index = :partIndex::int and text = :text
    order by id limit 1
  ), handed_on as (
    update message_edits e set text = undone.text from undone, later
    where e.account_id = :accountId and e.message_id = :messageId and e.id = later.id
  )
  update messages m set updated_at = :editAt, parts = jsonb_set(m.parts, array[:partIndex::int::text],
    jsonb_build_object('type', 'text', 'value', undone.text, 'text_decorations', null))
  from undone
  where m.account_id = :accountId and m.id = :messageId and m.parts->:partIndex::int->>'value' = :text
    and not exists (select from later)
  returning undone.text`,
);

/**
 * Reverts an edit that the phone never received: the part gets its earlier text back, which is reported as another
 * edit. If a later edit exists, the part keeps its text, and the later edit is recorded as the one that replaced the
 * earlier text. Decorations are removed, as after any edit.
 */
export async function undoEdit(
  tx: Sql,
  message: LockedMessage,
  edit: TextEdit & { editId: string },
): Promise<void> {
  const [restored] = await tx.run(UNDO_EDIT, {
    accountId: message.account_id,
    messageId: message.id,
    editId: edit.editId,
    partIndex: edit.partIndex,
    text: edit.text,
    editAt: edit.at,
  });
  if (restored !== undefined) {
    await emitEvents(tx, [editedEvent(message, { ...edit, text: restored.text })]);
  }
}
