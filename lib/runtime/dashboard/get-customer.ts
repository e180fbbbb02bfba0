import "server-only";
import { z } from "zod";
import { actorSql, NamedActor } from "@/lib/identity/audit/actor-sql";
import { Chat, chatSelect, toChat } from "@/lib/messaging/chats/chat";
import { LastMessage, selectChatEnds } from "@/lib/messaging/inbox/last-message";
import { findSendBlockers } from "@/lib/messaging/sending/find-send-blockers";
import { SendBlocker } from "@/lib/messaging/sending/send-blocker";
import {
  HandleConnectionView,
  listHandleConnectionViews,
} from "@/lib/payments/connections/list-handle-connection-views";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { findErasure, PersonErasure } from "@/lib/privacy/erasure/erase-person";
import { CustomerParams } from "@/lib/recipients/handles/name-handle";
import { ListOptOuts, listOptOuts } from "@/lib/recipients/opt-outs/list-opt-outs";
import {
  CustomerFile,
  CustomerNote,
  CustomerPayment,
  listCustomerFiles,
  listCustomerNotes,
  listCustomerPayments,
} from "@/lib/runtime/dashboard/rows/customer-history";

const MAX_CHATS = 20;
const MAX_OPT_OUTS = 5;
const MAX_CONNECTIONS = 5;

const CustomerChat = z.object({
  chat: Chat,
  line: z.string().nullable(),
  last_message: LastMessage.nullable(),
  unread: z.int(),
});

/** All that the account knows about a handle. */
export const Customer = z.object({
  handle: z.string(),
  name: z.string().nullable(),
  /** person: a colleague typed it; contact_card: a card from the handle contained it. */
  name_source: z.enum(["person", "contact_card"]).nullable(),
  /** The zone that a colleague set; null = that of the number. */
  time_zone: z.string().nullable(),
  block: z.object({ at: z.iso.datetime(), reason: z.string().nullable(), by: NamedActor }).nullable(),
  /** The reasons why each direct chat, or the handle without a chat, can't be messaged. */
  places: z.array(
    z.object({
      chat_id: z.uuid().nullable(),
      line: z.string().nullable(),
      sendBlockers: z.array(SendBlocker),
    }),
  ),
  /** The most recently active chats, groups included. */
  chats: z.array(CustomerChat),
  has_more_chats: z.boolean(),
  opt_outs: ListOptOuts.returns.shape.opt_outs,
  payments: z.array(CustomerPayment),
  connections: z.array(HandleConnectionView),
  files: z.array(CustomerFile),
  notes: z.array(CustomerNote),
  /** The last erasure of the person; null when there was none. */
  erasure: PersonErasure.nullable(),
});

export type Customer = z.infer<typeof Customer>;

export const GetCustomer = contract({
  summary: "Get a customer: chats, consent, payments and notes of a handle",
  tag: "Customers",
  right: "view_chats",
  params: CustomerParams,
  returns: Customer,
  status: 200,
  errors: ["phone_not_e164"],
});

/**
 * Returns what the account knows about a handle, each kind bounded. A handle that never appeared has empty lists.
 * Errors: phone_not_e164.
 */
export async function getCustomer(
  ctx: Context,
  { params }: Pick<Input<typeof GetCustomer>, "params">,
): Promise<Customer> {
  const { handle } = params;
  const [contact, { places }, { chats, hasMore }, { opt_outs }, { connections }, erasure] = await Promise.all(
    [
      findContact(ctx, handle),
      findSendBlockers(ctx, { query: { handle } }),
      listCustomerChats(ctx, handle),
      listOptOuts(ctx, { query: { state: "all", handle, limit: MAX_OPT_OUTS } }),
      listHandleConnectionViews(ctx, { query: { handle, status: [], limit: MAX_CONNECTIONS } }),
      findErasure(ctx.account.id, handle),
    ],
  );
  // Payments, files and notes of a group are not those of one customer.
  const direct = chats.flatMap(({ chat }) => (chat.is_group ? [] : [chat.id]));
  const [payments, files, notes] = await Promise.all([
    listCustomerPayments(ctx, direct),
    listCustomerFiles(ctx, direct),
    listCustomerNotes(ctx, direct),
  ]);
  return {
    handle,
    ...contact,
    places,
    chats,
    has_more_chats: hasMore,
    opt_outs,
    payments,
    connections,
    files,
    notes,
    erasure,
  };
}

const FIND_CUSTOMER_CONTACT = statement(
  "find-customer-contact",
  `select k.name, k.name_source, k.time_zone, k.blocked_at, k.blocked_reason,
    ${actorSql("k.blocked_by_type", "k.blocked_by_id", "k.account_id")} as "blocked_by: ActorName"
  from contacts k where k.account_id = :accountId and k.handle = :handle`,
);

async function findContact(
  ctx: Context,
  handle: string,
): Promise<Pick<Customer, "name" | "name_source" | "time_zone" | "block">> {
  const [row] = await sql.run(FIND_CUSTOMER_CONTACT, { accountId: ctx.account.id, handle });
  if (row === undefined) return { name: null, name_source: null, time_zone: null, block: null };
  const { name, name_source, time_zone, blocked_at, blocked_reason: reason, blocked_by: by } = row;
  return { name, name_source, time_zone, block: blocked_at && { at: blocked_at.toISOString(), reason, by } };
}

async function listCustomerChats(ctx: Context, handle: string) {
  const rows = await prisma().chat.findMany({
    where: { accountId: ctx.account.id, participants: { some: { accountId: ctx.account.id, handle } } },
    select: chatSelect,
    orderBy: [{ lastActivityAt: "desc" }, { id: "desc" }],
    take: MAX_CHATS + 1,
  });
  const shown = rows.slice(0, MAX_CHATS);
  const ends = await selectChatEnds(
    ctx,
    shown.map(({ id }) => id),
  );
  const chats = shown.map((row) => ({
    chat: toChat(row),
    line: row.participants.find(({ isMe }) => isMe)?.handle ?? null,
    last_message: ends.get(row.id)?.lastMessage ?? null,
    unread: ends.get(row.id)?.unread ?? 0,
  }));
  return { chats, hasMore: rows.length > MAX_CHATS };
}
