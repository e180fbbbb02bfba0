import "server-only";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { familySql } from "@/lib/attachments/listed-attachment";
import { discardFiles } from "@/lib/attachments/store/store-file";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import type { StoredPart } from "@/lib/messaging/content/message-part";
import { type ContactCard, readContactCards } from "@/lib/messaging/content/read-contact-card";
import { cardReceived } from "@/lib/messaging/inbound/received-card-events";
import { MESSAGE_FILE_SETTLED } from "@/lib/messaging/messages/message-events";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { nameFromCard } from "@/lib/recipients/handles/name-from-card";

/** A file that a message waits for. */
export interface AwaitedRow {
  account_id: string;
  attachment_id: string;
  message_id: string;
}

/** SQL: parts in which the file `$2` is patched with `$3` and loses the key `$4`, in a media part or as a card's image. */
function patchedSql(parts: string): string {
  return `(select jsonb_agg(case
      when part ->> 'attachment_id' = $2::text then (part || $3::jsonb) - $4::text
      when part #>> '{image,attachment_id}' = $2::text
        then jsonb_set(part, '{image}', ((part -> 'image') || $3::jsonb) - $4::text)
      else part end order by ord)
    from jsonb_array_elements(${parts}) with ordinality as each(part, ord))`;
}

/**
 * Ends the wait for a file: its message shows the file, or, for null, that the file is missing because of `fault`. GET and
 * later deliveries of message.received show the same; no event is sent again, but open pages are updated, and a contact
 * card is reported by contact_card.received. The file of a message that was deleted meanwhile is discarded.
 */
export async function endAwaited(awaited: AwaitedRow, file: NewFile | null, fault?: string): Promise<void> {
  const { account_id: accountId } = awaited;
  const cards = file === null ? [] : await readContactCards(accountId, [file]);
  const isKept = await transaction(async (tx) => {
    // Another process may have fetched the same file meanwhile.
    if (!(await settleRow(tx, awaited, file, fault))) return isComplete(tx, awaited);
    await patchParts(tx, awaited, file, cards);
    return true;
  });
  if (!isKept && file !== null) await discardFiles(accountId, [file]);
}

async function settleRow(tx: Sql, awaited: AwaitedRow, file: NewFile | null, fault = ""): Promise<boolean> {
  const rows = await tx.query({
    name: "settle-awaited-file",
    text: `with ended as (
             delete from awaited_files where account_id = $1 and attachment_id = $2 returning attachment_id
           )
           update attachments t
           set status = case when $3 then 'complete' else 'failed' end::attachment_status,
             filename = coalesce($4, t.filename), content_type = coalesce($5, t.content_type),
             size_bytes = coalesce($6, t.size_bytes), fault = case when not $3 then coalesce(nullif($7, ''), t.fault) end,
             family = (${familySql("coalesce($5, t.content_type)")})::attachment_family
           from ended where t.account_id = $1 and t.id = ended.attachment_id and t.status = 'pending'
           returning t.id`,
    values: [
      awaited.account_id,
      awaited.attachment_id,
      file !== null,
      file?.filename ?? null,
      file?.contentType ?? null,
      file?.sizeBytes ?? null,
      fault,
    ],
  });
  return rows.length > 0;
}

async function isComplete(tx: Sql, { account_id, attachment_id }: AwaitedRow): Promise<boolean> {
  const rows = await tx.query({
    name: "is-awaited-file-complete",
    text: "select 1 from attachments where account_id = $1 and id = $2 and status = 'complete'",
    values: [account_id, attachment_id],
  });
  return rows.length > 0;
}

interface PatchedMessage {
  line_id: string;
  chat_id: string;
  parts: StoredPart[];
  owner: string;
  /** null when the sender was erased. */
  sender: string | null;
}

async function patchParts(
  tx: Sql,
  awaited: AwaitedRow,
  file: NewFile | null,
  cards: readonly ContactCard[],
): Promise<void> {
  const { account_id: accountId, attachment_id, message_id: messageId } = awaited;
  const patch =
    file === null
      ? { status: "failed" }
      : { filename: file.filename, mime_type: file.contentType, size_bytes: file.sizeBytes };
  const values = [accountId, attachment_id, JSON.stringify(patch), file === null ? "" : "status", messageId];
  const [message] = await tx.query<PatchedMessage>({
    name: "patch-late-parts",
    text: `update messages m set parts = ${patchedSql("m.parts")}
           where m.account_id = $1 and m.id = $5 and m.deleted_at is null and jsonb_array_length(m.parts) > 0
           returning line_id, chat_id, parts,
             (select phone_number from lines l where l.account_id = $1 and l.id = m.line_id) as owner,
             (select handle from participants p
              where p.account_id = $1 and p.chat_id = m.chat_id and p.id = m.sender_id) as sender`,
    values,
  });
  if (message === undefined) return;
  await tx.query({
    name: "patch-late-events",
    text: `update events set data = jsonb_set(data, '{message,parts}', ${patchedSql("data #> '{message,parts}'")})
           where account_id = $1 and message_id = $5 and type = 'message.received'
             and jsonb_array_length(data #> '{message,parts}') > 0`,
    values,
  });
  const { line_id: lineId, chat_id: chatId, parts, owner, sender } = message;
  const about = { accountId, lineId, chatId, messageId, traceId: newTraceId(), at: now() };
  const received =
    sender === null ? [] : cards.map((card) => cardReceived(about, { owner, sender, parts, card }));
  await emitEvents(tx, [newEvent(MESSAGE_FILE_SETTLED, about, {}), ...received]);
  if (sender === null) return;
  for (const card of cards) await nameFromCard(tx, { accountId, handle: sender }, card);
}
