import "server-only";
import { familySql } from "@/lib/attachments/attachment-view";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { discardFiles } from "@/lib/attachments/store/store-file";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { type ContactCard, readContactCards } from "@/lib/messaging/content/read-contact-card";
import { cardReceived } from "@/lib/messaging/inbound/received-card-events";
import { MESSAGE_FILE_SETTLED } from "@/lib/messaging/messages/message-events";
import { byKey, type Sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { nameFromCard } from "@/lib/recipients/handles/name-from-card";

/** A file that a message waits for. */
export type AwaitedRow = Pick<RowOf<"claim-awaited-files">, "account_id" | "attachment_id" | "message_id">;

/**
 * SQL: parts in which the file `:attachmentId` is patched with `:patch` and loses the key `:dropped`, in a media part
 * or as a card's image.
 */
function patchedSql(parts: string): string {
  return `(select jsonb_agg(case
      when part ->> 'attachment_id' = :attachmentId::text then (part || :patch::jsonb) - :dropped::text
      when part #>> '{image,attachment_id}' = :attachmentId::text
        then jsonb_set(part, '{image}', ((part -> 'image') || :patch::jsonb) - :dropped::text)
      else part end order by ord)
    from jsonb_array_elements(${parts}) with ordinality as each(part, ord))`;
}

/**
 * Ends the wait for a file: its message shows the file, or, for null, that the file is missing because of `fault`. GET and
 * later deliveries of message.received show the same; no event is sent again, but open pages are updated, and a contact
 * card is reported by contact_card.received. A turn that waits for the file closes. The file of a message that was deleted
 * meanwhile is discarded.
 */
export async function endAwaited(awaited: AwaitedRow, file: NewFile | null, fault?: string): Promise<void> {
  const { account_id: accountId } = awaited;
  const cards = file === null ? [] : await readContactCards(accountId, [file]);
  const isKept = await transaction(async (tx) => {
    await tx.run(LOCK_AWAITING_CHAT, { accountId, messageId: awaited.message_id });
    // Another process may have fetched the same file meanwhile.
    if (!(await settleRow(tx, awaited, file, fault))) return isComplete(tx, awaited);
    await patchParts(tx, awaited, file, cards);
    return true;
  });
  if (!isKept && file !== null) await discardFiles(accountId, [file]);
}

// The sender before the chat, like an arriving message, which then waits or is waited for.
const LOCK_AWAITING_CHAT = statement(
  "lock-awaiting-chat",
  `with sender as materialized (
    select k.handle from contacts k
    where k.account_id = :accountId and k.handle = (
      select p.handle from messages m
      join participants p on p.account_id = m.account_id and p.chat_id = m.chat_id and p.id = m.sender_id
      where m.account_id = :accountId and m.id = :messageId)
    for no key update
  )
  select c.id from chats c
  where c.account_id = :accountId and (select count(*) from sender) >= 0
    and c.id = (select m.chat_id from messages m where m.account_id = :accountId and m.id = :messageId)
  for no key update`,
);

const SETTLE_AWAITED_FILE = statement(
  "settle-awaited-file",
  `with ended as (
    delete from awaited_files where account_id = :accountId and attachment_id = :attachmentId returning attachment_id
  )
  update attachments t
  set status = case when :isFetched then 'complete' else 'failed' end::attachment_status,
    filename = coalesce(:filename, t.filename), content_type = coalesce(:contentType, t.content_type),
    size_bytes = coalesce(:sizeBytes, t.size_bytes),
    fault = case when not :isFetched then coalesce(nullif(:fault, ''), t.fault) end,
    family = (${familySql("coalesce(:contentType, t.content_type)")})::attachment_family
  from ended where t.account_id = :accountId and t.id = ended.attachment_id and t.status = 'pending'
  returning t.id`,
);

async function settleRow(tx: Sql, awaited: AwaitedRow, file: NewFile | null, fault = ""): Promise<boolean> {
  const rows = await tx.run(SETTLE_AWAITED_FILE, {
    accountId: awaited.account_id,
    attachmentId: awaited.attachment_id,
    isFetched: file !== null,
    filename: file?.filename ?? null,
    contentType: file?.contentType ?? null,
    sizeBytes: file?.sizeBytes ?? null,
    fault,
  });
  return rows.length > 0;
}

const IS_AWAITED_FILE_COMPLETE = statement(
  "is-awaited-file-complete",
  "select 1 from attachments where account_id = :accountId and id = :attachmentId and status = 'complete'",
);

async function isComplete(tx: Sql, { account_id, attachment_id }: AwaitedRow): Promise<boolean> {
  const rows = await tx.run(IS_AWAITED_FILE_COMPLETE, { accountId: account_id, attachmentId: attachment_id });
  return rows.length > 0;
}

const PATCH_LATE_PARTS = statement(
  "patch-late-parts",
  `with waiting as materialized (
    select o.* from messages m join chat_turns o on o.account_id = m.account_id and o.chat_id = m.chat_id
    where m.account_id = :accountId and m.id = :messageId and m.id = any(o.message_ids) and o.answered_count is null
    order by o.subscription_id for update of o
  ), released as (
    update chat_turns o set lease_until = null, due_at = case when o.due_at = o.closes_at
      then least(o.closes_at, greatest(o.quiet_until, o.typing_until, :at::timestamptz)) else o.due_at end
    from waiting w
    where ${byKey("o", {
      account_id: "w.account_id",
      chat_id: "w.chat_id",
      handle: "w.handle",
      subscription_id: "w.subscription_id",
      is_recovered: "w.is_recovered",
    })}
    returning 1
  )
  update messages m set parts = ${patchedSql("m.parts")}
  where m.account_id = :accountId and m.id = :messageId and m.deleted_at is null and jsonb_array_length(m.parts) > 0
    and (select count(*) from released) >= 0
  returning line_id, chat_id, parts as "parts: StoredPart[]",
    (select phone_number from lines l where l.account_id = :accountId and l.id = m.line_id) as "owner!",
    (select handle from participants p
     where p.account_id = :accountId and p.chat_id = m.chat_id and p.id = m.sender_id) as sender,
    exists (select from released) as "releases_turns!"`,
);

const PATCH_LATE_EVENTS = statement(
  "patch-late-events",
  `update events set data = jsonb_set(data, '{message,parts}', ${patchedSql("data #> '{message,parts}'")})
  where account_id = :accountId and message_id = :messageId and type = 'message.received'
    and jsonb_array_length(data #> '{message,parts}') > 0`,
);

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
  const patched = {
    accountId,
    attachmentId: attachment_id,
    patch: JSON.stringify(patch),
    dropped: file === null ? "" : "status",
    messageId,
  };
  const [message] = await tx.run(PATCH_LATE_PARTS, { ...patched, at: now() });
  if (message === undefined) return;
  if (message.releases_turns) tx.wake("turns");
  await tx.run(PATCH_LATE_EVENTS, patched);
  const { line_id: lineId, chat_id: chatId, parts, owner, sender } = message;
  const about = { accountId, lineId, chatId, messageId, traceId: newTraceId(), at: now() };
  const received =
    sender === null ? [] : cards.map((card) => cardReceived(about, { owner, sender, parts, card }));
  await emitEvents(tx, [newEvent(MESSAGE_FILE_SETTLED, about, {}), ...received]);
  if (sender === null) return;
  for (const card of cards) await nameFromCard(tx, { accountId, handle: sender }, card);
}
