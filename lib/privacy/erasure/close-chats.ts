import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import type { Erasure, Step } from "@/lib/privacy/erasure/erasure";
import { HANDLE_TABLES } from "@/lib/privacy/erasure/person-tables";
import { erasedHandle } from "@/lib/recipients/erased-handles/erased-handles";
import { ensurePepper, hashHandle } from "@/lib/recipients/erased-handles/handle-pepper";

/**
 * Separates the person from the account in one transaction. It holds the lock on the person's contact, which every
 * inbound message takes first: a message that was stored before is erased, and a later one opens a new chat, whole.
 * Direct chats no longer accept sends and are not found by a handle; in groups the person has left, without a handle.
 */
export const closeChats: Step = {
  name: "close-chats",
  async run(tx, erasure) {
    const contact = await lockContact(tx, erasure);
    const at = now();
    await storeSuppression(tx, erasure, contact);
    const chats = await closeAll(tx, erasure, at);
    await replaceHandles(tx, erasure);
    const counts: Record<string, number> = { chats };
    for (const table of HANDLE_TABLES) {
      const rows = await tx.query({
        text: `delete from ${table} where account_id = $1 and handle = $2 returning 1`,
        values: [erasure.accountId, erasure.handle],
      });
      counts[table] = rows.length;
    }
    await tx.query({
      text: `update person_erasures set closed_at = $3, up_to_seq = (
               select case when is_called then last_value else last_value - 1 end from events_seq_seq)
             where account_id = $1 and id = $2`,
      values: [erasure.accountId, erasure.id, at],
    });
    return { counts, cursor: null };
  },
};

interface Contact {
  opted_out_at: Date | null;
  opt_out_keyword: string | null;
  blocked_at: Date | null;
}

async function lockContact(tx: Sql, { accountId, handle }: Erasure): Promise<Contact> {
  const [contact] = await tx.query<Contact>({
    text: `insert into contacts (account_id, handle) values ($1, $2)
           on conflict (account_id, handle) do update set handle = excluded.handle
           returning opted_out_at, opt_out_keyword, blocked_at`,
    values: [accountId, handle],
  });
  return contact ?? { opted_out_at: null, opt_out_keyword: null, blocked_at: null };
}

// An opted-out person must not be messaged again because the account no longer knows the opt-out.
async function storeSuppression(
  tx: Sql,
  { accountId, id, handle }: Erasure,
  contact: Contact,
): Promise<void> {
  if (contact.opted_out_at === null && contact.blocked_at === null) return;
  const hash = hashHandle(accountId, await ensurePepper(tx, accountId), handle);
  await tx.query({
    text: `insert into erased_handles (account_id, hash, erasure_id, opted_out_at, opt_out_keyword, blocked_at)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (account_id, hash) do update set erasure_id = excluded.erasure_id,
             opted_out_at = excluded.opted_out_at, opt_out_keyword = excluded.opt_out_keyword,
             blocked_at = excluded.blocked_at`,
    values: [accountId, hash, id, contact.opted_out_at, contact.opt_out_keyword, contact.blocked_at],
  });
}

// Chats are always locked in id order, so two transactions can't deadlock.
async function closeAll(tx: Sql, { accountId, id, handle }: Erasure, at: Date): Promise<number> {
  const chats = await tx.query<{ id: string }>({
    text: `select c.id from chats c
           where c.account_id = $1 and c.id in (
             select p.chat_id from participants p where p.account_id = $1 and p.handle = $2)
           order by c.id for update`,
    values: [accountId, handle],
  });
  const chatIds = chats.map((chat) => chat.id);
  await tx.query({
    text: `update chats set participants_key = null, updated_at = $3,
             recipient_handle = case when not is_group then $4 end,
             transport_ref = case when is_group then transport_ref end,
             display_name = case when is_group then display_name end,
             left_at = case when is_group then left_at else coalesce(left_at, $3) end,
             held_by = case when is_group then held_by end, held_at = case when is_group then held_at end,
             held_until = case when is_group then held_until end,
             assigned_to = case when is_group then assigned_to end,
             health_due_at = case when is_group then health_due_at end, is_unread = is_group and is_unread
           where account_id = $1 and id = any($2::uuid[])`,
    values: [accountId, chatIds, at, erasedHandle(id)],
  });
  await tx.query({
    text: `update participants
           set handle = $3, left_at = case when status = 'active' then $4 else left_at end,
             status = case when status = 'active' then 'left' else status end
           where account_id = $1 and handle = $2`,
    values: [accountId, handle, erasedHandle(id), at],
  });
  return chatIds.length;
}

// Rows that stay, and those in which others are named too.
async function replaceHandles(tx: Sql, { accountId, id, handle }: Erasure): Promise<void> {
  const values = [accountId, handle, erasedHandle(id)];
  // A receipt names no person, but its error may.
  await tx.query({
    text: "delete from set_aside_events where account_id = $1 and (handles = '{}' or $2 = any(handles))",
    values: [accountId, handle],
  });
  await tx.query({
    text: `delete from passkey_challenges c using agent_payments p
           where p.account_id = $1 and p.handle = $2 and c.account_id = p.account_id and c.payment_id = p.id`,
    values: [accountId, handle],
  });
  await tx.query({
    text: "update agent_payments set handle = $3, open_key = null where account_id = $1 and handle = $2",
    values,
  });
  await tx.query({
    text: "update payment_requests set payer_handle = $3 where account_id = $1 and payer_handle = $2",
    values,
  });
  await tx.query({
    text: `update opt_outs set handle = $3, chat_id = null, message_id = null, end_message_id = null
           where account_id = $1 and handle = $2`,
    values,
  });
  await tx.query({
    text: `update simulator_actions set handles = array_replace(handles, $2, $3)
           where account_id = $1 and handles @> array[$2]`,
    values,
  });
  await tx.query({
    text: "delete from simulator_delayed_messages where account_id = $1 and report ->> 'from' = $2",
    values: [accountId, handle],
  });
  await tx.query({
    text: "delete from v2_chats where account_id = $1 and handles @> array[$2]",
    values: [accountId, handle],
  });
}
