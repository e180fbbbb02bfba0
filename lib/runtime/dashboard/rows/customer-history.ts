import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { PaymentRequestStatus } from "@/lib/platform/prisma/enums";
import { amountText, minorUnits } from "@/lib/platform/text/money";

const MAX_PAYMENTS = 10;
const MAX_FILES = 12;
/** Files are looked for in the newest messages of each chat. */
const SEARCHED_MESSAGES = 200;
const MAX_NOTES = 10;

export const CustomerPayment = z.object({
  id: z.uuid(),
  status: z.enum(PaymentRequestStatus),
  /** The amount in major units, as people write it. */
  amount_text: z.string(),
  currency: z.string(),
  description: z.string().nullable(),
  created_at: z.iso.datetime(),
});

export const CustomerFile = z.object({
  id: z.uuid(),
  filename: z.string(),
  content_type: z.string(),
  chat_id: z.uuid(),
  is_from_me: z.boolean(),
  created_at: z.iso.datetime(),
});

export const CustomerNote = z.object({
  id: z.uuid(),
  chat_id: z.uuid(),
  by: z.string().nullable(),
  text: z.string(),
  created_at: z.iso.datetime(),
});

function toShown<Stored extends { created_at: Date }>(rows: readonly Stored[]) {
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

const LIST_CUSTOMER_PAYMENTS = statement(
  "list-customer-payments",
  `select p.id, p.status::text as "status: 'expired' | 'succeeded' | 'canceled' | 'requested'", p.amount_minor::float8 as amount_minor, p.currency, p.description, p.created_at
  from (
    select distinct sent.payment_request_id as id from unnest(:chatIds::uuid[]) as chat(id) cross join lateral (
      select s.payment_request_id from payment_request_messages s
      where s.account_id = :accountId and s.chat_id = chat.id order by s.payment_request_id desc limit ${MAX_PAYMENTS}
    ) sent
  ) sent join payment_requests p on p.account_id = :accountId and p.id = sent.id
  order by p.id desc limit ${MAX_PAYMENTS}`,
);

/** The newest payment requests whose checkout links were sent in these chats. */
export async function listCustomerPayments(
  ctx: Context,
  chatIds: readonly string[],
): Promise<z.infer<typeof CustomerPayment>[]> {
  const rows = await sql.run(LIST_CUSTOMER_PAYMENTS, { accountId: ctx.account.id, chatIds });
  return toShown(rows).map(({ amount_minor, ...row }) => ({
    ...row,
    amount_text: amountText(minorUnits(amount_minor, row.currency), row.currency),
  }));
}

const LIST_CUSTOMER_FILES = statement(
  "list-customer-files",
  `select a.id, a.filename, a.content_type, m.chat_id, m.is_from_me, m.created_at
  from unnest(:chatIds::uuid[]) as chat(id) cross join lateral (
    select m.id, m.chat_id, m.is_from_me, m.created_at, m.position from messages m
    where m.account_id = :accountId and m.chat_id = chat.id and m.deleted_at is null
    order by m.position desc limit ${SEARCHED_MESSAGES}
  ) m join attachment_uses u on u.account_id = :accountId and u.message_id = m.id
    join attachments a on a.account_id = :accountId and a.id = u.attachment_id and a.status = 'complete'
  order by m.position desc limit ${MAX_FILES}`,
);

/** The newest files of the recent messages in these chats. */
export async function listCustomerFiles(
  ctx: Context,
  chatIds: readonly string[],
): Promise<z.infer<typeof CustomerFile>[]> {
  const rows = await sql.run(LIST_CUSTOMER_FILES, { accountId: ctx.account.id, chatIds });
  return toShown(rows);
}

const LIST_CUSTOMER_NOTES = statement(
  "list-customer-notes",
  `select e.id, e.chat_id, u.name as by, coalesce(e.body, '') as text, e.created_at
  from unnest(:chatIds::uuid[]) as chat(id) cross join lateral (
    select * from chat_team_entries e
    where e.account_id = :accountId and e.chat_id = chat.id and e.kind = 'note' order by e.id desc limit ${MAX_NOTES}
  ) e left join users u on u.id = e.user_id
  order by e.id desc limit ${MAX_NOTES}`,
);

/** The team's newest internal notes about these chats. */
export async function listCustomerNotes(
  ctx: Context,
  chatIds: readonly string[],
): Promise<z.infer<typeof CustomerNote>[]> {
  const rows = await sql.run(LIST_CUSTOMER_NOTES, { accountId: ctx.account.id, chatIds });
  return toShown(rows);
}
