import "server-only";
import { removeAttachment } from "@/lib/attachments/remove-attachment";
import { eraseCopies } from "@/lib/messaging/expiry/content-copies";
import { eraseContent } from "@/lib/messaging/expiry/erase-content";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";
import { CHAT_TABLES } from "@/lib/privacy/erasure/deleted-tables";
import {
  type ClosedChats,
  type Erasure,
  findClosedChats,
  NO_ID,
  positionOf,
  type Step,
} from "@/lib/privacy/erasure/erasure";

const BATCH_MESSAGES = 200;
const BATCH_FILES = 50;
const BATCH_ROWS = 1000;

/** SQL: the person's messages `m`: all of the direct chats, and those of the person in the groups. */
const OWN_MESSAGES = `m.account_id = :accountId and (m.chat_id = any(:direct::uuid[])
  or m.chat_id = any(:groups::uuid[]) and m.sender_id = any(:participants::uuid[]))`;

/** SQL: the person's reactions `r` to messages `m` of all of these chats. */
const OWN_REACTIONS = `m.account_id = :accountId and m.chat_id = any(:direct::uuid[] || :groups::uuid[])
  and r.account_id = m.account_id and r.message_id = m.id and r.participant_id = any(:participants::uuid[])`;

/** The parameters of these conditions. */
async function ownChats(on: Sql, erasure: Erasure): Promise<ClosedChats & { accountId: string }> {
  return { accountId: erasure.accountId, ...(await findClosedChats(on, erasure)) };
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

const RECORD_ERASED_FILE = plannedStatement(
  "record-erased-file",
  "update person_erasures set file_ids = file_ids || :attachmentId::uuid where account_id = :accountId and id = :id",
);

// The request log names a file by its id only.
async function noteFile(tx: Sql, { accountId, id }: Erasure, attachmentId: string): Promise<void> {
  await tx.run(RECORD_ERASED_FILE, { accountId, id, attachmentId });
}

// `is_shared`: a message that is not the person's shows the file too.
const FIND_OWN_FILES = plannedStatement(
  "find-own-files",
  `with own as materialized (
    select m.id from messages m where ${OWN_MESSAGES}
    union all
    select s.id from scheduled_messages s where s.account_id = :accountId and s.chat_id = any(:direct::uuid[])
  )
  select f.id as "attachment_id!", exists (
    select from attachment_uses o
    where o.account_id = :accountId and o.attachment_id = f.id
      and o.message_id not in (select id from own)) as is_shared
  from (
    select u.attachment_id as id from own
    join attachment_uses u on u.account_id = :accountId and u.message_id = own.id
    union
    select (r.image ->> 'attachment_id')::uuid from messages m join reactions r on ${OWN_REACTIONS}
    where r.image ->> 'attachment_id' is not null
  ) f order by 1 limit ${BATCH_FILES}`,
);

async function findFiles(on: Sql, erasure: Erasure): Promise<RowOf<"find-own-files">[]> {
  return on.run(FIND_OWN_FILES, await ownChats(on, erasure));
}

const FORGET_ATTACHMENT_USES = plannedStatement(
  "forget-attachment-uses",
  `delete from attachment_uses u
  where u.account_id = :accountId and u.attachment_id = any(:attachmentIds::uuid[]) and (
    exists (select from messages m where ${OWN_MESSAGES} and m.id = u.message_id)
    or exists (select from scheduled_messages s
      where s.account_id = u.account_id and s.id = u.message_id and s.chat_id = any(:direct::uuid[])))`,
);

const FORGET_REACTION_IMAGES = plannedStatement(
  "forget-reaction-images",
  `update reactions r set image = null from messages m
  where ${OWN_REACTIONS} and (r.image ->> 'attachment_id')::uuid = any(:attachmentIds::uuid[])`,
);

async function forgetUses(tx: Sql, erasure: Erasure, attachmentIds: readonly string[]): Promise<void> {
  if (attachmentIds.length === 0) return;
  const parameters = { ...(await ownChats(tx, erasure)), attachmentIds };
  await tx.run(FORGET_ATTACHMENT_USES, parameters);
  await tx.run(FORGET_REACTION_IMAGES, parameters);
}

const LOCK_OWN_MESSAGES = plannedStatement(
  "lock-own-messages",
  `select m.id, m.parts as "parts: { filename?: string }[]" from messages m
  where ${OWN_MESSAGES} and m.id > :after order by m.id limit ${BATCH_MESSAGES} for update`,
);

const MARK_MESSAGES_DELETED = plannedStatement(
  "mark-messages-deleted",
  `update messages
  set deleted_at = coalesce(deleted_at, :now), dispatch_at = null, idempotency_key = null
  where account_id = :accountId and id = any(:messageIds::uuid[])`,
);

const CLEAR_POLL_KEYS = plannedStatement(
  "clear-poll-keys",
  "update polls set idempotency_key = null where account_id = :accountId and message_id = any(:messageIds::uuid[])",
);

/**
 * Erases the content of the person's messages and its copies, as a deletion does. The rows stay until the last step, so
 * that late results of sends, deliveries and log entries find that the content is gone.
 */
export const eraseMessages: Step = {
  name: "erase-messages",
  async run(tx, erasure) {
    const { accountId } = erasure;
    const rows = await tx.run(LOCK_OWN_MESSAGES, {
      ...(await ownChats(tx, erasure)),
      after: positionOf(erasure, NO_ID),
    });
    const messageIds = rows.map(({ id }) => id);
    await redactDeletedFiles(tx, accountId, rows);
    await tx.run(MARK_MESSAGES_DELETED, { accountId, messageIds, now: now() });
    await tx.run(CLEAR_POLL_KEYS, { accountId, messageIds });
    await eraseContent(tx, accountId, messageIds);
    await eraseCopies(tx, { accountId, messageIds, before: null });
    const cursor = rows.length < BATCH_MESSAGES ? null : (messageIds.at(-1) ?? null);
    return { counts: { messages: rows.length }, cursor };
  },
};

const REDACT_DELETED_FILES = plannedStatement(
  "redact-deleted-files",
  `update audit_entries set detail = jsonb_set(detail, '{filename}', '"file"')
  where account_id = :accountId and action = 'attachment.deleted' and detail ->> 'filename' = any(:names::text[])`,
);

// The audit log names a file that was deleted before the erasure; the part of its message does too.
async function redactDeletedFiles(
  tx: Sql,
  accountId: string,
  rows: readonly { parts: { filename?: string }[] }[],
): Promise<void> {
  const names = rows.flatMap(({ parts }) => parts.flatMap(({ filename }) => filename ?? []));
  if (names.length === 0) return;
  await tx.run(REDACT_DELETED_FILES, { accountId, names });
}

const DELETE_SNAPSHOTS_WITH_MESSAGES = plannedStatement(
  "delete-snapshots-with-messages",
  "delete from simulator_snapshots where account_id = :accountId",
);

/** Deletes what belongs to the direct chats, and what the person left on the messages of others. */
export const eraseRows: Step = {
  name: "erase-rows",
  async run(tx, erasure) {
    const { accountId } = erasure;
    const chats = await findClosedChats(tx, erasure);
    const counts: Record<string, number> = {};
    let isFull = false;
    for (const table of CHAT_TABLES) {
      const rows = await tx.runText({
        text: `delete from ${table} where ctid = any(array(
                 select ctid from ${table} where account_id = $1 and chat_id = any($2::uuid[]) limit ${BATCH_ROWS}))
               returning 1`,
        values: [accountId, chats.direct],
      });
      counts[table] = rows.length;
      isFull ||= rows.length === BATCH_ROWS;
    }
    Object.assign(counts, await eraseOnOthers(tx, erasure, chats));
    await tx.run(DELETE_SNAPSHOTS_WITH_MESSAGES, { accountId });
    return { counts, cursor: isFull ? {} : null };
  },
};

const ERASE_REACTIONS = plannedStatement(
  "erase-reactions",
  `delete from reactions r using messages m
  where m.account_id = :accountId and m.chat_id = any(:chatIds::uuid[]) and r.account_id = m.account_id
    and r.message_id = m.id and r.participant_id = any(:participants::uuid[]) returning r.message_id`,
);

const ERASE_POLL_VOTES = plannedStatement(
  "erase-poll-votes",
  `delete from poll_votes v using messages m
  where m.account_id = :accountId and m.chat_id = any(:chatIds::uuid[]) and v.account_id = m.account_id
    and v.message_id = m.id and v.participant_id = any(:participants::uuid[]) returning v.message_id`,
);

const ERASE_POLL_OPTIONS = plannedStatement(
  "erase-poll-options",
  `update poll_options o set text = '' from messages m
  where m.account_id = :accountId and m.chat_id = any(:chatIds::uuid[]) and o.account_id = m.account_id
    and o.message_id = m.id and o.participant_id = any(:participants::uuid[]) and o.text <> ''
  returning o.message_id`,
);

async function eraseOnOthers(tx: Sql, erasure: Erasure, { direct, groups, participants }: ClosedChats) {
  const parameters = { accountId: erasure.accountId, chatIds: [...direct, ...groups], participants };
  const reactions = await tx.run(ERASE_REACTIONS, parameters);
  const votes = await tx.run(ERASE_POLL_VOTES, parameters);
  const options = await tx.run(ERASE_POLL_OPTIONS, parameters);
  return { reactions: reactions.length, poll_votes: votes.length, poll_options: options.length };
}
