import "server-only";
import { emitEvents } from "@/lib/events/store/emit-event";
import { editedEvent, type TextEdit } from "@/lib/messaging/edits/edit-text";
import type { LockedMessage } from "@/lib/messaging/messages/locked-message";
import type { Sql } from "@/lib/platform/database/db";

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
  const [restored] = await tx.query<{ text: string }>({
    name: "undo-edit",
    text: `with undone as (
             delete from message_edits where account_id = $1 and message_id = $2 and id = $3 returning text
           ), later as materialized (
             select id from message_edits
             where account_id = $1 and message_id = $2 and id > $3 and part_index = $4::int and text = $5
             order by id limit 1
           ), handed_on as (
             update message_edits e set text = undone.text from undone, later
             where e.account_id = $1 and e.message_id = $2 and e.id = later.id
           )
           update messages m set updated_at = $6, parts = jsonb_set(m.parts, array[$4::int::text],
             jsonb_build_object('type', 'text', 'value', undone.text, 'text_decorations', null))
           from undone
           where m.account_id = $1 and m.id = $2 and m.parts->$4::int->>'value' = $5
             and not exists (select from later)
           returning undone.text`,
    values: [message.account_id, message.id, edit.editId, edit.partIndex, edit.text, edit.at],
  });
  if (restored !== undefined) {
    await emitEvents(tx, [editedEvent(message, { ...edit, text: restored.text })]);
  }
}
