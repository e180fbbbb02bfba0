import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { chatHealthSql } from "@/lib/recipients/health/chat-health";

/** The properties of an inbound message that affect opt-outs. */
export interface OptOutMessage {
  accountId: string;
  handle: string;
  wasOptedOut: boolean;
  /** The opt-out keyword that the message consists of, or null. */
  keyword: string | null;
  /** A keyword in a group neither begins nor ends an opt-out (contract.md 0). */
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
 * (partner-api.md, Opt-out rules 2 to 4; contract.md 0). Both are stored as evidence, and a possible opt-out is stored
 * for a person to decide. The caller holds the lock on the contact's row.
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
  const changed =
    keyword === null
      ? "from contacts where account_id = $1 and handle = $2 and opted_out_at >= $3"
      : "from opt_outs where account_id = $1 and handle = $2 and ended_at >= $3";
  const rows = await tx.query({
    text: `select 1 ${changed}
           union all
           select 1 from participants p join messages m on m.account_id = p.account_id and m.chat_id = p.chat_id
             and m.sender_id = p.id
           where p.account_id = $1 and p.handle = $2 and m.created_at > $3
           limit 1`,
    values: [accountId, handle, heldSince],
  });
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

/**
 * Opts a handle out, stores the evidence and marks its direct chat OPTED_OUT. An open opt-out keeps its original
 * evidence.
 */
export async function beginOptOut(
  tx: Sql,
  { accountId, handle, at }: OptOutTarget,
  reason: OptOutReason & { keyword: string | null; chatId: string | null; sourceFile?: string },
): Promise<void> {
  await tx.query({
    name: "opt-out",
    text: `with contact as (
             insert into contacts as k (account_id, handle, opted_out_at, opt_out_keyword, opt_out_message_id)
             values ($1, $2, $3, $4, $5)
             on conflict (account_id, handle) do update set opted_out_at = excluded.opted_out_at,
               opt_out_keyword = excluded.opt_out_keyword, opt_out_message_id = excluded.opt_out_message_id
           ), evidence as (
             insert into opt_outs (account_id, id, handle, cause, keyword, chat_id, message_id, actor_type, actor_id, started_at,
               source_file)
             values ($1, $7, $2, $8::text::opt_out_cause, $4, $6, $5, $9, $10, $3, $11)
             on conflict (account_id, handle) where ended_at is null do nothing
           )
           update chats set health_status = 'OPTED_OUT', health_updated_at = $3, updated_at = $3
           where account_id = $1 and id = $6 and recipient_handle = $2 and health_status <> 'OPTED_OUT'`,
    values: [
      accountId,
      handle,
      at,
      reason.keyword,
      reason.messageId,
      reason.chatId,
      newId(at.getTime(), accountId, "opt-out", handle),
      reason.cause,
      reason.type,
      reason.id,
      reason.sourceFile ?? null,
    ],
  });
}

/** Ends a handle's opt-out. Every marked chat returns to its computed health. */
export async function endOptOut(
  tx: Sql,
  { accountId, handle, at }: OptOutTarget,
  reason: OptOutReason,
): Promise<void> {
  // Chats are always locked in id order, so two transactions can't deadlock.
  await tx.query({
    name: "lock-opted-out-chats",
    text: `select c.id from chats c
           where c.account_id = $1 and c.health_status = 'OPTED_OUT' and c.id in (
             select p.chat_id from participants p where p.account_id = $1 and p.handle = $2)
           order by c.id for no key update`,
    values: [accountId, handle],
  });
  await tx.query({
    name: "clear-opt-out",
    text: `with contact as (
             update contacts set opted_out_at = null, opt_out_keyword = null, opt_out_message_id = null
             where account_id = $1 and handle = $2
           ), evidence as (
             update opt_outs set ended_at = $3, end_cause = $4::text::opt_out_cause, end_message_id = $5,
               end_actor_type = $6, end_actor_id = $7
             where account_id = $1 and handle = $2 and ended_at is null
           )
           update chats c set health_status = ${chatHealthSql("c.unanswered", "$3")}, health_updated_at = $3, updated_at = $3
           from participants p
           where p.account_id = $1 and p.handle = $2 and c.account_id = p.account_id and c.id = p.chat_id
             and c.health_status = 'OPTED_OUT'`,
    values: [accountId, handle, at, reason.cause, reason.messageId, reason.type, reason.id],
  });
}

async function insertHint(tx: Sql, { accountId, handle, hint, chatId, messageId, at }: OptOutMessage) {
  await tx.query({
    name: "insert-opt-out-hint",
    text: `insert into opt_out_hints (account_id, id, handle, chat_id, message_id, word, created_at)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [accountId, newId(at.getTime()), handle, chatId, messageId, hint, at],
  });
}
