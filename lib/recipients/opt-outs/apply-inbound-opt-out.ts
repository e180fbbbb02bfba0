import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import { chatHealthSql } from "@/lib/recipients/health/chat-health";

/** The properties of an inbound message that affect opt-outs. */
export interface OptOutMessage {
  accountId: string;
  handle: string;
  wasOptedOut: boolean;
  /** The opt-out keyword that the message consists of, or null. */
  keyword: string | null;
  /** A keyword in a group neither begins nor ends an opt-out (docs/contract.md, section 9.1). */
  isGroup: boolean;
  /** The word that makes the message a possible opt-out, or null; always null in groups. */
  hint: string | null;
  chatId: string;
  messageId: string;
  at: Date;
  /** When a message came that was set aside and is stored only now. */
  heldSince?: Date | undefined;
}

/**
 * Applies an inbound message to the sender's opt-out. A keyword in a direct chat opts the handle out of the whole
 * account and marks the chat OPTED_OUT. Any other message ends the opt-out and resets every marked chat
 * (docs/contract.md, section 9.1). Both are stored as evidence, and a possible opt-out is stored for a person to
 * decide. The caller holds the lock on the contact's row.
 */
export async function applyInboundOptOut(tx: Sql, note: OptOutMessage): Promise<void> {
  if (note.keyword !== null && note.isGroup) return;
  if (!(await isOverruled(tx, note))) await changeOptOut(tx, note);
  if (note.hint !== null) await insertHint(tx, note);
}

async function changeOptOut(tx: Sql, note: OptOutMessage): Promise<void> {
  const { accountId, handle, keyword, chatId, messageId, at } = note;
  const message = { type: null, id: null, messageId };
  if (keyword !== null) {
    await beginOptOut(tx, { accountId, handle, at }, { ...message, cause: "keyword", keyword, chatId });
  } else if (note.wasOptedOut) {
    await endOptOut(tx, { accountId, handle, at }, { ...message, cause: "message" });
  }
}

const WROTE = `select 1 from participants p join messages m on m.account_id = p.account_id and m.chat_id = p.chat_id
    and m.sender_id = p.id
  where p.account_id = :accountId and p.handle = :handle and m.created_at > :heldSince
  limit 1`;

const OPT_OUT_BEGAN_OR_WROTE = plannedStatement(
  "opt-out-began-or-wrote",
  `select 1 from contacts where account_id = :accountId and handle = :handle and opted_out_at >= :heldSince
  union all
  ${WROTE}`,
);

const OPT_OUT_ENDED_OR_WROTE = plannedStatement(
  "opt-out-ended-or-wrote",
  `select 1 from opt_outs where account_id = :accountId and handle = :handle and ended_at >= :heldSince
  union all
  ${WROTE}`,
);

/**
 * Whether an event that was held says nothing about consent any more: since then the person wrote again, an opt-out began
 * that it would end, or one ended that it would begin.
 */
export async function isOverruled(
  tx: Sql,
  {
    accountId,
    handle,
    keyword,
    heldSince,
  }: Pick<OptOutMessage, "accountId" | "handle" | "keyword" | "heldSince">,
): Promise<boolean> {
  if (heldSince === undefined) return false;
  const rows = await (keyword === null
    ? tx.run(OPT_OUT_BEGAN_OR_WROTE, { accountId, handle, heldSince })
    : tx.run(OPT_OUT_ENDED_OR_WROTE, { accountId, handle, heldSince }));
  return rows.length > 0;
}

/** The handle whose opt-out begins or ends, and the time. */
export interface OptOutTarget {
  accountId: string;
  handle: string;
  at: Date;
}

/** The cause of a change: a message from the handle, or a person (`type`, `id`). */
export interface OptOutReason {
  cause: "keyword" | "message" | "person";
  type: string | null;
  id: string | null;
  messageId: string | null;
}

const OPT_OUT = statement(
  "opt-out",
  `with contact as (
    insert into contacts as k (account_id, handle, opted_out_at, opt_out_keyword, opt_out_message_id)
    values (:accountId, :handle, :optedOutAt, :keyword, :messageId)
    on conflict (account_id, handle) do update set opted_out_at = excluded.opted_out_at,
      opt_out_keyword = excluded.opt_out_keyword, opt_out_message_id = excluded.opt_out_message_id
  ), evidence as (
    insert into opt_outs (account_id, id, handle, cause, keyword, chat_id, message_id, actor_type, actor_id, started_at,
      source_file)
    values (:accountId, :id, :handle, :cause::text::opt_out_cause, :keyword, :chatId, :messageId, :reasonType, :reasonId, :optedOutAt, :sourceFile)
    on conflict (account_id, handle) where ended_at is null do nothing
  )
  update chats set health_status = 'OPTED_OUT', health_updated_at = :optedOutAt, updated_at = :optedOutAt
  where account_id = :accountId and id = :chatId and recipient_handle = :handle and health_status <> 'OPTED_OUT'`,
);

/**
 * Opts a handle out, stores the evidence and marks its direct chat OPTED_OUT. An open opt-out keeps its original
 * evidence.
 */
export async function beginOptOut(
  tx: Sql,
  { accountId, handle, at }: OptOutTarget,
  reason: OptOutReason & { keyword: string | null; chatId: string | null; sourceFile?: string },
): Promise<void> {
  await tx.run(OPT_OUT, {
    accountId,
    handle,
    optedOutAt: at,
    keyword: reason.keyword,
    messageId: reason.messageId,
    chatId: reason.chatId,
    id: newId(at.getTime(), accountId, "opt-out", handle),
    cause: reason.cause,
    reasonType: reason.type,
    reasonId: reason.id,
    sourceFile: reason.sourceFile ?? null,
  });
}

const LOCK_OPTED_OUT_CHATS = statement(
  "lock-opted-out-chats",
  `select c.id from chats c
  where c.account_id = :accountId and c.health_status = 'OPTED_OUT' and c.id in (
    select p.chat_id from participants p where p.account_id = :accountId and p.handle = :handle)
  order by c.id for no key update`,
);

const CLEAR_OPT_OUT = statement(
  "clear-opt-out",
  `with contact as (
    update contacts set opted_out_at = null, opt_out_keyword = null, opt_out_message_id = null
    where account_id = :accountId and handle = :handle
  ), evidence as (
    update opt_outs set ended_at = :endedAt, end_cause = :cause::text::opt_out_cause, end_message_id = :messageId,
      end_actor_type = :reasonType, end_actor_id = :reasonId
    where account_id = :accountId and handle = :handle and ended_at is null
  )
  update chats c set health_status = ${chatHealthSql("c.unanswered", ":endedAt")}, health_updated_at = :endedAt, updated_at = :endedAt
  from participants p
  where p.account_id = :accountId and p.handle = :handle and c.account_id = p.account_id and c.id = p.chat_id
    and c.health_status = 'OPTED_OUT'`,
);

/** Ends a handle's opt-out. Every marked chat returns to its computed health. */
export async function endOptOut(
  tx: Sql,
  { accountId, handle, at }: OptOutTarget,
  reason: OptOutReason,
): Promise<void> {
  // Chats are always locked in id order, so two transactions can't deadlock.
  await tx.run(LOCK_OPTED_OUT_CHATS, { accountId, handle });
  await tx.run(CLEAR_OPT_OUT, {
    accountId,
    handle,
    endedAt: at,
    cause: reason.cause,
    messageId: reason.messageId,
    reasonType: reason.type,
    reasonId: reason.id,
  });
}

const INSERT_OPT_OUT_HINT = statement(
  "insert-opt-out-hint",
  `insert into opt_out_hints (account_id, id, handle, chat_id, message_id, word, created_at)
  values (:accountId, :id, :handle, :chatId, :messageId, :hint, :createdAt)`,
);

async function insertHint(tx: Sql, { accountId, handle, hint, chatId, messageId, at }: OptOutMessage) {
  await tx.run(INSERT_OPT_OUT_HINT, {
    accountId,
    id: newId(at.getTime()),
    handle,
    chatId,
    messageId,
    hint,
    createdAt: at,
  });
}
