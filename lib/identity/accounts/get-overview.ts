import "server-only";
import { z } from "zod";
import { timeBlock } from "@/lib/events/event-blocks";
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

export type Overview = z.infer<typeof GetOverview.returns>;

/** The account's first steps, and its activity since midnight UTC. */
export async function getOverview(ctx: Context): Promise<Overview> {
  const [steps, today] = await Promise.all([readSteps(ctx), readToday(ctx)]);
  return { steps, today };
}

// A reply is an inbound message after an outbound one in the same chat. Only the recent chats are counted.
async function readSteps(ctx: Context): Promise<Overview["steps"]> {
  const [row] = await sql.query<Overview["steps"]>({
    name: "first-steps",
    text: `with recent as (
        select id from chats where account_id = $1 order by last_activity_at desc, id desc limit 100
      ), ours as (
        select c.id, first.position
        from recent c cross join lateral (
          select m.position from messages m
          where m.account_id = $1 and m.chat_id = c.id and m.is_from_me order by m.position limit 1
        ) first
      )
      select
        exists (select from api_tokens where account_id = $1 and revoked_at is null) as token_generated,
        exists (select from ours) as message_sent,
        exists (
          select from ours o where exists (
            select from messages m
            where m.account_id = $1 and m.chat_id = o.id and m.position > o.position and not m.is_from_me)
        ) as phone_answered,
        exists (select from webhook_subscriptions where account_id = $1 and deleted_at is null) as webhook_subscribed,
        exists (select from webhook_deliveries where account_id = $1 and status = 'delivered') as webhook_delivered`,
    values: [ctx.account.id],
  });
  if (row === undefined) throw new Error("the first steps could not be read");
  return row;
}

// Message ids begin with their time, so a day is a range of the primary key. Deliveries have no index by time across
// subscriptions, but those of the day are the ones since the day's first event, and only public events have any. The
// index of events by time contains blocks of times (lib/events/event-blocks.ts).
async function readToday(ctx: Context): Promise<Overview["today"]> {
  const midnight = new Date(ctx.now);
  midnight.setUTCHours(0, 0, 0, 0);
  const [row] = await sql.query<Overview["today"]>({
    name: "figures-of-today",
    text: `with first_today as (
        select seq from events where account_id = $1 and not internal
          and ${timeBlock("created_at")} >= ${timeBlock("$3::timestamptz")} and created_at >= $3
        order by ${timeBlock("created_at")}, created_at, seq limit 1
      ), messages_today as (
        select
          count(*) filter (where is_from_me)::int as sent,
          count(*) filter (where not is_from_me)::int as received,
          count(*) filter (where is_from_me and delivered_at is not null)::int as delivered,
          count(*) filter (where is_from_me and delivery_status = 'failed')::int as failed
        from messages where account_id = $1 and id >= $2
      )
      select m.*, (
        select count(*)::int from webhook_deliveries
        where account_id = $1 and event_seq >= (select seq from first_today) and status = 'delivered'
      ) as webhooks_delivered
      from messages_today m`,
    values: [ctx.account.id, lowestIdAt(midnight), midnight],
  });
  if (row === undefined) throw new Error("the figures of today could not be read");
  return row;
}

/** The lowest UUIDv7 for a time. */
function lowestIdAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
