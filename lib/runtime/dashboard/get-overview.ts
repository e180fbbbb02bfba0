import "server-only";
import { z } from "zod";
import { readAccountVolume } from "@/lib/lines/lines/line-volume";
import { midnightOf, readReceiptsOfToday } from "@/lib/lines/lines/receipts-of-today";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/db";

const Steps = z.object({
  token_generated: z.boolean(),
  message_sent: z.boolean(),
  phone_answered: z.boolean(),
  webhook_subscribed: z.boolean(),
  webhook_delivered: z.boolean(),
});

const Today = z.object({
  sent: z.int(),
  received: z.int(),
  delivered: z.int(),
  failed: z.int(),
  webhooks_delivered: z.int(),
});

export const GetOverview = contract({
  summary: "Get the account's onboarding steps and today's figures",
  tag: "Accounts",
  right: "signed_in",
  returns: z.object({ steps: Steps, today: Today }),
  status: 200,
  errors: [],
});

/** The messages of a chat that are searched for the first steps. */
const MAX_SEARCHED_MESSAGES = 50;

export type Overview = z.infer<typeof GetOverview.returns>;

/**
 * The account's first steps, and its activity since midnight UTC. The figures come from counters, so they cost as much
 * for ten million messages as for a few.
 */
export async function getOverview(ctx: Context): Promise<Overview> {
  const [steps, today] = await Promise.all([readSteps(ctx), readToday(ctx)]);
  return { steps, today };
}

// A reply is an inbound message after an outbound one in the same chat. Only the recent chats and their newest messages
// are read, so that an account without a reply is read as quickly.
async function readSteps(ctx: Context): Promise<Overview["steps"]> {
  const [row] = await sql.query<Overview["steps"]>({
    name: "first-steps",
    text: `with recent as (
        select id from chats where account_id = $1 order by last_activity_at desc, id desc limit 100
      ), ends as (
        select m.* from recent c cross join lateral (
          select min(position) filter (where is_from_me) as first_sent,
            max(position) filter (where not is_from_me) as last_received
          from (
            select m.position, m.is_from_me from messages m
            where m.account_id = $1 and m.chat_id = c.id order by m.position desc limit ${MAX_SEARCHED_MESSAGES}
          ) newest
        ) m
      )
      select
        exists (select from api_tokens where account_id = $1 and revoked_at is null and session_id is null) as token_generated,
        exists (select from ends where first_sent is not null) as message_sent,
        exists (select from ends where last_received > first_sent) as phone_answered,
        exists (select from webhook_subscriptions where account_id = $1 and deleted_at is null) as webhook_subscribed,
        exists (select from webhook_deliveries where account_id = $1 and status = 'delivered') as webhook_delivered`,
    values: [ctx.account.id],
  });
  if (row === undefined) throw new Error("the first steps could not be read");
  return row;
}

async function readToday(ctx: Context): Promise<Overview["today"]> {
  const [volume, delivered, webhooks] = await Promise.all([
    readAccountVolume(ctx, ctx.now.toISOString().slice(0, 10)),
    readReceiptsOfToday(ctx),
    countSuccessfulAttempts(ctx),
  ]);
  return { ...volume, delivered, webhooks_delivered: webhooks };
}

// A delivery ends with its first successful attempt, and attempts are counted by hour and outcome.
async function countSuccessfulAttempts(ctx: Context): Promise<number> {
  const [row] = await sql.query<{ count: number }>({
    name: "webhooks-of-today",
    text: `select coalesce(sum(c.count), 0)::int as count
           from webhook_subscriptions s join webhook_attempt_counts c
             on c.account_id = s.account_id and c.subscription_id = s.id and c.hour >= $2 and c.outcome like '2__'
           where s.account_id = $1`,
    values: [ctx.account.id, midnightOf(ctx.now)],
  });
  return row?.count ?? 0;
}
