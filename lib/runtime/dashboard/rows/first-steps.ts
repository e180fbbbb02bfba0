import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

export const FirstSteps = z.object({
  token_generated: z.boolean(),
  message_sent: z.boolean(),
  phone_answered: z.boolean(),
  webhook_subscribed: z.boolean(),
  webhook_delivered: z.boolean(),
});

export type FirstSteps = z.infer<typeof FirstSteps>;

/** The messages of a chat that are searched for the first steps. */
const MAX_SEARCHED_MESSAGES = 50;

const FIRST_STEPS = statement(
  "first-steps",
  `with recent as (
    select id from chats where account_id = :accountId order by last_activity_at desc, id desc limit 100
  ), ends as (
    select m.* from recent c cross join lateral (
      select min(position) filter (where is_from_me) as first_sent,
        max(position) filter (where not is_from_me) as last_received
      from (
        select m.position, m.is_from_me from messages m
        where m.account_id = :accountId and m.chat_id = c.id order by m.position desc limit ${MAX_SEARCHED_MESSAGES}
      ) newest
    ) m
  )
  select
    exists (select from api_tokens where account_id = :accountId and revoked_at is null and session_id is null) as token_generated,
    exists (select from ends where first_sent is not null) as message_sent,
    exists (select from ends where last_received > first_sent) as phone_answered,
    exists (select from webhook_subscriptions where account_id = :accountId and deleted_at is null) as webhook_subscribed,
    exists (select from webhook_deliveries where account_id = :accountId and status = 'delivered') as webhook_delivered`,
);

/**
 * Which onboarding steps the account has done. A reply is an inbound message after an outbound one in the same chat.
 * Only the recent chats and their newest messages are read, so that an account without a reply is read as quickly.
 */
export async function readFirstSteps(ctx: Context): Promise<FirstSteps> {
  const [row] = await sql.run(FIRST_STEPS, { accountId: ctx.account.id });
  if (row === undefined) throw new Error("the first steps could not be read");
  return row;
}
