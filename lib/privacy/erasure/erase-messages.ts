import "server-only";
import { removeAttachment } from "@/lib/attachments/remove-attachment";
import { eraseCopies } from "@/lib/messaging/expiry/content-copies";
import { eraseContent } from "@/lib/messaging/expiry/erase-content";
import { type Sql, sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import {
  type ClosedChats,
  type Erasure,
  findClosedChats,
  NO_ID,
  type Step,
} from "@/lib/privacy/erasure/erasure";
import { CHAT_TABLES } from "@/lib/privacy/erasure/person-tables";

const BATCH_MESSAGES = 200;
const BATCH_FILES = 50;
const BATCH_ROWS = 1000;

/** SQL: the person's messages: all of the direct chats `$2`, and those of the participants `$4` in the groups `$3`. */
const OWN_MESSAGES = `m.account_id = $1 and (m.chat_id = any($2::uuid[])
  or m.chat_id = any($3::uuid[]) and m.sender_id = any($4::uuid[]))`;

function ownValues({ accountId }: Erasure, { direct, groups, participants }: ClosedChats): unknown[] {
  return [accountId, direct, groups, participants];
}

/**
 * Deletes the files of the person's messages with their bytes, unless another message shows them too. The bytes are
 * deleted before the rows, so a part that fails is repeated.
 */
export const eraseFiles: Step = {
  name: "erase-files",
  async prepare(erasure) {
    const files = await findFiles(sql, erasure);
    const owned = files.filter(({ is_shared }) => !is_shared);
    for (const { attachment_id: attachmentId } of owned) {
      await removeAttachment({ accountId: erasure.accountId, attachmentId }, (tx) =>
        noteFile(tx, erasure, attachmentId),
      );
    }
    return { attachments: owned.length };
  },
  async run(tx, erasure) {
    const files = await findFiles(tx, erasure);
    const shared = files.flatMap(({ attachment_id, is_shared }) => (is_shared ? [attachment_id] : []));
    await forgetUses(tx, erasure, shared);
    return { counts: {}, cursor: files.length === shared.length && files.length < BATCH_FILES ? null : {} };
  },
};

// The request log names a file by its id only.
async function noteFile(tx: Sql, { accountId, id }: Erasure, attachmentId: string): Promise<void> {
  await tx.query({
    text: "update person_erasures set file_ids = file_ids || $3::uuid where account_id = $1 and id = $2",
    values: [accountId, id, attachmentId],
  });
}

interface FileUse {
  attachment_id: string;
  /** A message that is not the person's shows it too. */
  is_shared: boolean;
}

async function findFiles(on: Sql, erasure: Erasure): Promise<FileUse[]> {
  const chats = await findClosedChats(on, erasure);
  return on.query<FileUse>({
    text: `with own as materialized (
             select m.id, m.chat_id from messages m where ${OWN_MESSAGES}
           )
           select f.id as attachment_id, exists (
             select from attachment_uses o
             where o.account_id = $1 and o.attachment_id = f.id and o.message_id not in (select id from own)) as is_shared
           from (
             select u.attachment_id as id from own
             join attachment_uses u on u.account_id = $1 and u.message_id = own.id
             union
             select (r.image ->> 'attachment_id')::uuid from messages m
             join reactions r on r.account_id = m.account_id and r.message_id = m.id
             where m.account_id = $1 and m.chat_id = any($2::uuid[] || $3::uuid[]) and r.participant_id = any($4::uuid[])
               and r.image ->> 'attachment_id' is not null
           ) f order by 1 limit ${BATCH_FILES}`,
    values: ownValues(erasure, chats),
  });
}

async function forgetUses(tx: Sql, erasure: Erasure, attachmentIds: readonly string[]): Promise<void> {
  if (attachmentIds.length === 0) return;
  const values = [...ownValues(erasure, await findClosedChats(tx, erasure)), attachmentIds];
  await tx.query({
    text: `delete from attachment_uses u using messages m
           where ${OWN_MESSAGES} and u.account_id = m.account_id and u.message_id = m.id
             and u.attachment_id = any($5::uuid[])`,
    values,
  });
  await tx.query({
    text: `update reactions r set image = null from messages m
           where m.account_id = $1 and m.chat_id = any($2::uuid[] || $3::uuid[]) and r.account_id = m.account_id
             and r.message_id = m.id and r.participant_id = any($4::uuid[])
             and (r.image ->> 'attachment_id')::uuid = any($5::uuid[])`,
    values,
  });
}

/**
 * Erases the content of the person's messages and its copies, as a deletion does. The rows stay until the last step, so
 * that late results of sends, deliveries and log entries find that the content is gone.
 */
export const eraseMessages: Step = {
  name: "erase-messages",
  async run(tx, erasure) {
    const { accountId } = erasure;
    const rows = await tx.query<{ id: string; parts: { filename?: string }[] }>({
      text: `select m.id, m.parts from messages m
             where ${OWN_MESSAGES} and m.id > $5 order by m.id limit ${BATCH_MESSAGES} for update`,
      values: [...ownValues(erasure, await findClosedChats(tx, erasure)), erasure.cursor ?? NO_ID],
    });
    const messageIds = rows.map(({ id }) => id);
    await redactDeletedFiles(tx, accountId, rows);
    await tx.query({
      text: `update messages
             set deleted_at = coalesce(deleted_at, $3), dispatch_at = null, idempotency_key = null
             where account_id = $1 and id = any($2::uuid[])`,
      values: [accountId, messageIds, now()],
    });
    await tx.query({
      text: "update polls set idempotency_key = null where account_id = $1 and message_id = any($2::uuid[])",
      values: [accountId, messageIds],
    });
    await eraseContent(tx, accountId, messageIds);
    await eraseCopies(tx, { accountId, messageIds, before: null });
    const cursor = rows.length < BATCH_MESSAGES ? null : (messageIds.at(-1) ?? null);
    return { counts: { messages: rows.length }, cursor };
  },
};

// The audit log names a file that was deleted before the erasure; the part of its message does too.
async function redactDeletedFiles(
  tx: Sql,
  accountId: string,
  rows: readonly { parts: { filename?: string }[] }[],
): Promise<void> {
  const names = rows.flatMap(({ parts }) => parts.flatMap(({ filename }) => filename ?? []));
  if (names.length === 0) return;
  await tx.query({
    text: `update audit_entries set detail = jsonb_set(detail, '{filename}', '"file"')
           where account_id = $1 and action = 'attachment.deleted' and detail ->> 'filename' = any($2::text[])`,
    values: [accountId, names],
  });
}

/** Deletes what belongs to the direct chats, and what the person left on the messages of others. */
export const eraseRows: Step = {
  name: "erase-rows",
  async run(tx, erasure) {
    const { accountId } = erasure;
    const chats = await findClosedChats(tx, erasure);
    const counts: Record<string, number> = {};
    let isFull = false;
    for (const table of CHAT_TABLES) {
      const rows = await tx.query({
        text: `delete from ${table} where ctid = any(array(
                 select ctid from ${table} where account_id = $1 and chat_id = any($2::uuid[]) limit ${BATCH_ROWS}))
               returning 1`,
        values: [accountId, chats.direct],
      });
      counts[table] = rows.length;
      isFull ||= rows.length === BATCH_ROWS;
    }
    Object.assign(counts, await eraseOnOthers(tx, erasure, chats));
    await tx.query({ text: "delete from simulator_snapshots where account_id = $1", values: [accountId] });
    return { counts, cursor: isFull ? {} : null };
  },
};

async function eraseOnOthers(tx: Sql, erasure: Erasure, chats: ClosedChats) {
  const values = [erasure.accountId, [...chats.direct, ...chats.groups], chats.participants];
  const reactions = await tx.query({
    text: `delete from reactions r using messages m
           where m.account_id = $1 and m.chat_id = any($2::uuid[]) and r.account_id = m.account_id
             and r.message_id = m.id and r.participant_id = any($3::uuid[]) returning 1`,
    values,
  });
  const votes = await tx.query({
    text: `delete from poll_votes v using messages m
           where m.account_id = $1 and m.chat_id = any($2::uuid[]) and v.account_id = m.account_id
             and v.message_id = m.id and v.participant_id = any($3::uuid[]) returning 1`,
    values,
  });
  const options = await tx.query({
    text: `update poll_options o set text = '' from messages m
           where m.account_id = $1 and m.chat_id = any($2::uuid[]) and o.account_id = m.account_id
             and o.message_id = m.id and o.participant_id = any($3::uuid[]) and o.text <> '' returning 1`,
    values,
  });
  return { reactions: reactions.length, poll_votes: votes.length, poll_options: options.length };
}
