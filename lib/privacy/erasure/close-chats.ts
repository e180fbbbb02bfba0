import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";
import { HANDLE_TABLES } from "@/lib/privacy/erasure/deleted-tables";
import type { Erasure, Step } from "@/lib/privacy/erasure/erasure";
import { erasedHandle } from "@/lib/recipients/erased-handles/erased-handles";
import { ensurePepper, hashHandle } from "@/lib/recipients/erased-handles/handle-pepper";

const MARK_ERASURE_CLOSED = plannedStatement(
  "mark-erasure-closed",
  `update person_erasures set closed_at = :closedAt, up_to_seq = (
    select case when is_called then last_value else last_value - 1 end from events_seq_seq)
  where account_id = :accountId and id = :erasureId`,
);

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
      const rows = await tx.runText({
        text: `delete from ${table} where account_id = $1 and handle = $2 returning 1`,
        values: [erasure.accountId, erasure.handle],
      });
      counts[table] = rows.length;
    }
    await tx.run(MARK_ERASURE_CLOSED, { accountId: erasure.accountId, erasureId: erasure.id, closedAt: at });
    return { counts, cursor: null };
  },
};

type Contact = RowOf<"lock-contact-to-erase">;

const LOCK_CONTACT_TO_ERASE = plannedStatement(
  "lock-contact-to-erase",
  `insert into contacts (account_id, handle) values (:accountId, :handle)
  on conflict (account_id, handle) do update set handle = excluded.handle
  returning opted_out_at, opt_out_keyword, blocked_at`,
);

async function lockContact(tx: Sql, { accountId, handle }: Erasure): Promise<Contact> {
  const [contact] = await tx.run(LOCK_CONTACT_TO_ERASE, { accountId, handle });
  return contact ?? { opted_out_at: null, opt_out_keyword: null, blocked_at: null };
}

const STORE_SUPPRESSION = plannedStatement(
  "store-suppression",
  `insert into erased_handles (account_id, hash, erasure_id, opted_out_at, opt_out_keyword, blocked_at)
  values (:accountId, :hash, :id, :optedOutAt, :optOutKeyword, :blockedAt)
  on conflict (account_id, hash) do update set erasure_id = excluded.erasure_id,
    opted_out_at = excluded.opted_out_at, opt_out_keyword = excluded.opt_out_keyword,
    blocked_at = excluded.blocked_at`,
);

// An opted-out person must not be messaged again because the account no longer knows the opt-out.
async function storeSuppression(
  tx: Sql,
  { accountId, id, handle }: Erasure,
  contact: Contact,
): Promise<void> {
  if (contact.opted_out_at === null && contact.blocked_at === null) return;
  const hash = hashHandle(accountId, await ensurePepper(tx, accountId), handle);
  await tx.run(STORE_SUPPRESSION, {
    accountId,
    hash,
    id,
    optedOutAt: contact.opted_out_at,
    optOutKeyword: contact.opt_out_keyword,
    blockedAt: contact.blocked_at,
  });
}

const LOCK_CHATS_OF_HANDLE = plannedStatement(
  "lock-chats-of-handle",
  `select c.id from chats c
  where c.account_id = :accountId and c.id in (
    select p.chat_id from participants p where p.account_id = :accountId and p.handle = :handle)
  order by c.id for update`,
);

const CLOSE_CHATS_OF_HANDLE = plannedStatement(
  "close-chats-of-handle",
  `update chats set participants_key = null, updated_at = :updatedAt,
    recipient_handle = case when not is_group then :erasedHandle end,
    transport_ref = case when is_group then transport_ref end,
    display_name = case when is_group then display_name end,
    left_at = case when is_group then left_at else coalesce(left_at, :updatedAt) end,
    held_by = case when is_group then held_by end, held_at = case when is_group then held_at end,
    held_until = case when is_group then held_until end,
    loop_held_at = case when is_group then loop_held_at end,
    loop_held_until = case when is_group then loop_held_until end,
    assigned_to = case when is_group then assigned_to end, team_id = case when is_group then team_id end,
    health_due_at = case when is_group then health_due_at end, is_unread = is_group and is_unread,
    inbox_state = case when is_group or inbox_state is null then inbox_state else 'closed' end,
    snoozed_until = case when is_group then snoozed_until end, needs_reply = is_group and needs_reply
  where account_id = :accountId and id = any(:chatIds::uuid[])`,
);

// The hold for a loop of a direct chat ends, and so does its wait for a team; those of a group stay.
const WITHDRAW_NOTICES_OF_CHATS = plannedStatement(
  "withdraw-notices-of-chats",
  `update account_notices n set dismissed_at = :at from chats c
  where n.account_id = :accountId and n.kind in ('chat_loop', 'team_assigned') and n.dismissed_at is null
    and n.object_id = any(:chatIds::uuid[]) and c.account_id = n.account_id and c.id = n.object_id and not c.is_group`,
);

const REPLACE_HANDLES_IN_PARTICIPANTS = plannedStatement(
  "replace-handles-in-participants",
  `update participants
  set handle = :erasedHandle, left_at = case when status = 'active' then :at else left_at end,
    status = case when status = 'active' then 'left' else status end
  where account_id = :accountId and handle = :handle`,
);

// The rows stay until their files are erased.
const CANCEL_SCHEDULED_OF_HANDLE = plannedStatement(
  "cancel-scheduled-of-handle",
  `update scheduled_messages s set due_at = null, content = null, parts = null, idempotency_key = null, lease_until = null,
    canceled_at = :at, updated_at = :at, revision = s.revision + 1
  from chats c
  where s.account_id = :accountId and c.account_id = :accountId and c.id = s.chat_id and not c.is_group and c.id in (
    select p.chat_id from participants p where p.account_id = :accountId and p.handle = :handle)`,
);

// Chats are always locked in id order, so two transactions can't deadlock. What is due locks its row before its chat.
async function closeAll(tx: Sql, { accountId, id, handle }: Erasure, at: Date): Promise<number> {
  await tx.run(CANCEL_SCHEDULED_OF_HANDLE, { accountId, handle, at });
  const chats = await tx.run(LOCK_CHATS_OF_HANDLE, { accountId, handle });
  const chatIds = chats.map((chat) => chat.id);
  await tx.run(CLOSE_CHATS_OF_HANDLE, { accountId, chatIds, updatedAt: at, erasedHandle: erasedHandle(id) });
  await tx.run(WITHDRAW_NOTICES_OF_CHATS, { accountId, chatIds, at });
  await tx.run(REPLACE_HANDLES_IN_PARTICIPANTS, { accountId, handle, erasedHandle: erasedHandle(id), at });
  return chatIds.length;
}

const ERASE_SET_ASIDE_EVENTS = plannedStatement(
  "erase-set-aside-events",
  "delete from set_aside_events where account_id = :accountId and (handles = '{}' or :handle = any(handles))",
);

const ERASE_PASSKEY_CHALLENGES = plannedStatement(
  "erase-passkey-challenges",
  `delete from passkey_challenges c using agent_payments p
  where p.account_id = :accountId and p.handle = :handle and c.account_id = p.account_id and c.payment_id = p.id`,
);

const ERASE_DELAYED_MESSAGES = plannedStatement(
  "erase-delayed-messages",
  "delete from simulator_delayed_messages where account_id = :accountId and report ->> 'from' = :handle",
);

const ERASE_V2_CHATS = plannedStatement(
  "erase-v2-chats",
  "delete from v2_chats where account_id = :accountId and handles @> array[:handle]",
);

const REPLACE_HANDLES_IN_AGENT_PAYMENTS = plannedStatement(
  "replace-handles-in-agent-payments",
  `update agent_payments set handle = :erasedHandle, open_key = null
  where account_id = :accountId and handle = :handle`,
);

const REPLACE_HANDLES_IN_PAYMENT_REQUESTS = plannedStatement(
  "replace-handles-in-payment-requests",
  `update payment_requests set payer_handle = :erasedHandle
  where account_id = :accountId and payer_handle = :handle`,
);

const REPLACE_HANDLES_IN_OPT_OUTS = plannedStatement(
  "replace-handles-in-opt-outs",
  `update opt_outs set handle = :erasedHandle, chat_id = null, message_id = null, end_message_id = null
  where account_id = :accountId and handle = :handle`,
);

const REPLACE_HANDLES_IN_SIMULATOR_ACTIONS = plannedStatement(
  "replace-handles-in-simulator-actions",
  `update simulator_actions set handles = array_replace(handles, :handle, :erasedHandle)
  where account_id = :accountId and handles @> array[:handle]`,
);

// Rows that stay, and those in which others are named too.
async function replaceHandles(tx: Sql, { accountId, id, handle }: Erasure): Promise<void> {
  const parameters = { accountId, handle, erasedHandle: erasedHandle(id) };
  // A receipt names no person, but its error may.
  await tx.run(ERASE_SET_ASIDE_EVENTS, { accountId, handle });
  await tx.run(ERASE_PASSKEY_CHALLENGES, { accountId, handle });
  await tx.run(REPLACE_HANDLES_IN_AGENT_PAYMENTS, parameters);
  await tx.run(REPLACE_HANDLES_IN_PAYMENT_REQUESTS, parameters);
  await tx.run(REPLACE_HANDLES_IN_OPT_OUTS, parameters);
  await tx.run(REPLACE_HANDLES_IN_SIMULATOR_ACTIONS, parameters);
  await tx.run(ERASE_DELAYED_MESSAGES, { accountId, handle });
  await tx.run(ERASE_V2_CHATS, { accountId, handle });
}
