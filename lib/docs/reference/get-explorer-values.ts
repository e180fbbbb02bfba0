import "server-only";
import { z } from "zod";
import { getStartingPoint } from "@/lib/identity/accounts/get-starting-point";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const Id = z.uuid().nullable();

/** Values of the account that the API explorer fills into requests. null where the account has none. */
export const ExplorerValues = z.object({
  environment: z.enum(["sandbox", "production"]),
  line: z.string().nullable(),
  phone: z.string().nullable(),
  /** The most recent of each kind, by the name of the path parameter. */
  ids: z.object({
    chatId: Id,
    messageId: Id,
    attachmentId: Id,
    subscriptionId: Id,
    paymentRequestId: Id,
    paymentId: Id,
    auditId: Id,
  }),
});

export type ExplorerValues = z.infer<typeof ExplorerValues>;

export const GetExplorerValues = contract({
  summary: "Get the account's values for the API explorer",
  tag: "Account",
  right: "view_chats",
  returns: ExplorerValues,
  status: 200,
  errors: [],
});

const EXPLORER_VALUES = statement(
  "explorer-values",
  `with chat as (
    select id from chats where account_id = :accountId order by last_activity_at desc, id desc limit 1
  )
  select (select id from chat) as "chatId",
    (select id from messages where account_id = :accountId and chat_id = (select id from chat)
       and deleted_at is null order by position desc limit 1) as "messageId",
    (select id from attachments where account_id = :accountId order by id desc limit 1) as "attachmentId",
    (select id from webhook_subscriptions where account_id = :accountId and deleted_at is null
       order by id desc limit 1) as "subscriptionId",
    (select id from payment_requests where account_id = :accountId order by id desc limit 1) as "paymentRequestId",
    (select id from agent_payments where account_id = :accountId order by id desc limit 1) as "paymentId",
    (select id from reputation_audits where account_id = :accountId order by id desc limit 1) as "auditId"`,
);

/** A line, a phone and the latest chat, message and other resources of the account. Deleted ones are left out. */
export async function getExplorerValues(ctx: Context): Promise<ExplorerValues> {
  const [{ line, phone }, [ids]] = await Promise.all([
    getStartingPoint(ctx),
    sql.run(EXPLORER_VALUES, { accountId: ctx.account.id }),
  ]);
  if (ids === undefined) throw new Error("a statement without a table returned no row");
  return { environment: ctx.account.type, line, phone, ids };
}
