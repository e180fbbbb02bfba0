import "server-only";
import { attempted } from "@/lib/client/attempted";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { firstIdAt } from "@/lib/platform/ids";
import type { Right } from "@/lib/platform/rights/right";
import { hasRight } from "@/lib/platform/rights/role-rights";
import type { Attention } from "@/lib/runtime/dashboard/rows/attention";
import { checkChatsOnHold } from "@/lib/runtime/dashboard/rows/chats-on-hold";
import { displayTarget } from "@/lib/webhooks/targets/display-target";

/** The figures of the last 24 hours that are checked. */
interface LastDay {
  sent: number;
  delivered: number;
  failed: number;
  failed_after_sent: number;
  opted_out: number;
  payments_succeeded: number;
  payments_declined: number;
}

const DAY_MS = 86_400_000;
/** The list page of a type shows the others. */
const MAX_ROWS = 10;
const MAX_NEAR_MISSES = 100;
const MIN_OPT_OUTS = 5;
const OPT_OUT_FACTOR = 3;
const MIN_FAILED = 5;
const FAILED_SHARE = 0.1;
const MIN_DECLINED = 3;

/**
 * Lists the account's problems, critical ones first: failing and disabled endpoints, lines that are down, flagged or at
 * risk, chats on hold for a loop, possible opt-outs, a spike of opt-outs, failed messages, declined payments and tokens
 * about to expire. Problems whose page the caller has no right to view are left out.
 */
export async function listAttention(ctx: Context, lastDay: LastDay): Promise<Attention[]> {
  const checks: [Right, () => Promise<Attention[]> | Attention[]][] = [
    ["view_webhooks", () => checkEndpoints(ctx)],
    ["view_lines", () => checkLines(ctx)],
    ["view_chats", () => checkChatsOnHold(ctx)],
    ["view_opt_outs", () => checkNearMisses(ctx)],
    ["view_opt_outs", () => checkOptOuts(ctx, lastDay)],
    ["view_events", () => checkMessages(lastDay)],
    ["view_payments", () => checkPayments(ctx, lastDay)],
    ["view_tokens", () => checkTokens(ctx)],
  ];
  const found = await Promise.all(checks.map(([right, check]) => (hasRight(ctx, right) ? check() : [])));
  return found.flat().toSorted((left, right) => rankOf(left) - rankOf(right));
}

function rankOf({ severity }: Attention): number {
  return severity === "critical" ? 0 : 1;
}

const ENDPOINTS_NEEDING_ATTENTION = statement(
  "endpoints-needing-attention",
  `select id, target_url, is_active, disabled_reason::text as disabled_reason, warned_percent
  from webhook_subscriptions
  where account_id = :accountId and deleted_at is null
    and (disabled_reason in ('gone', 'failing') or (is_active and warned_percent > 0))
  order by id desc limit ${MAX_ROWS}`,
);

async function checkEndpoints(ctx: Context): Promise<Attention[]> {
  const rows = await sql.run(ENDPOINTS_NEEDING_ATTENTION, { accountId: ctx.account.id });
  return rows.map((row) => {
    const name = displayTarget(row.target_url);
    const page = {
      id: `endpoint-${row.id}`,
      type: "endpoint" as const,
      href: `/webhooks/${row.id}`,
      action: "View endpoint",
    };
    if (row.is_active) {
      const severity = row.warned_percent === 100 ? "critical" : "warning";
      const share = row.warned_percent === 100 ? "100%" : `At least ${row.warned_percent}%`;
      const detail = `${share} of attempts in 24 hours failed.`;
      return { ...page, severity, title: `The endpoint ${name} is failing`, detail };
    }
    const detail =
      row.disabled_reason === "gone"
        ? "Trunkline disabled the endpoint because it responded with 410 Gone."
        : "Trunkline disabled the endpoint after five days of failures.";
    return { ...page, severity: "critical", title: `The endpoint ${name} is disabled`, detail };
  });
}

const LINES_NEEDING_ATTENTION = statement(
  "lines-needing-attention",
  `select id, phone_number, status::text as status, reputation::text as reputation, is_up from lines
  where account_id = :accountId and released_at is null
    and (status = 'FLAGGED' or not is_up or reputation in ('AT_RISK', 'CRITICAL'))
  order by phone_number limit ${MAX_ROWS}`,
);

async function checkLines(ctx: Context): Promise<Attention[]> {
  const rows = await sql.run(LINES_NEEDING_ATTENTION, { accountId: ctx.account.id });
  return rows.map(({ id, phone_number: number, ...line }) => {
    const page = { id: `line-${id}`, type: "line" as const, href: `/lines/${id}`, action: "View line" };
    if (line.status === "FLAGGED") {
      const detail = "Messages from this line are rejected with error 2027.";
      return { ...page, severity: "critical", title: `The line ${number} is flagged`, detail };
    }
    if (!line.is_up) {
      const detail = "Messages wait in the queue until the line is back.";
      return { ...page, severity: "critical", title: `The line ${number} is down`, detail };
    }
    const detail = "Too many of its chats are unanswered or opted out. See the risk factors.";
    return line.reputation === "CRITICAL"
      ? { ...page, severity: "critical", title: `The line ${number} has a critical reputation`, detail }
      : { ...page, severity: "warning", title: `The line ${number} is at risk`, detail };
  });
}

const WAITING_NEAR_MISSES = statement(
  "waiting-near-misses",
  `select count(*)::int as count from (
    select from opt_out_hints where account_id = :accountId and decided_at is null limit ${MAX_NEAR_MISSES}
  ) open`,
);

async function checkNearMisses(ctx: Context): Promise<Attention[]> {
  const [row] = await sql.run(WAITING_NEAR_MISSES, { accountId: ctx.account.id });
  const count = row?.count ?? 0;
  if (count === 0) return [];
  const shown = count === MAX_NEAR_MISSES ? `${MAX_NEAR_MISSES} or more` : String(count);
  return [
    {
      id: "near-misses",
      type: "near-misses",
      severity: "warning",
      title:
        count === 1 ? "1 possible opt-out awaits a decision" : `${shown} possible opt-outs await a decision`,
      detail: "Decide for each message whether the contact wants to opt out.",
      href: "/opt-outs/near-misses",
      action: "Review",
    },
  ];
}

const OPT_OUTS_OF_A_WEEK = statement(
  "opt-outs-of-a-week",
  `select (
    (select coalesce(sum(count), 0) from account_hours
      where account_id = :accountId and metric = 'opt_out' and hour >= :hour and hour < :dayAgo)
    + (select count(*) from opt_outs
      where account_id = :accountId and id < :idDayAgo
        and id >= (select coalesce(opt_outs_to, :idWeekBefore::uuid) from accounts where id = :accountId))
  )::int as count`,
);

/** A spike is at least three times the daily average of the week before. */
async function checkOptOuts(ctx: Context, { opted_out: today }: LastDay): Promise<Attention[]> {
  if (today < MIN_OPT_OUTS) return [];
  const dayAgo = ctx.now.getTime() - DAY_MS;
  const [row] = await sql.run(OPT_OUTS_OF_A_WEEK, {
    accountId: ctx.account.id,
    hour: new Date(dayAgo - 7 * DAY_MS),
    dayAgo: new Date(dayAgo),
    idDayAgo: firstIdAt(dayAgo),
    idWeekBefore: firstIdAt(dayAgo - 7 * DAY_MS),
  });
  const average = (row?.count ?? 0) / 7;
  if (today < OPT_OUT_FACTOR * average) return [];
  const compared = average < 1 ? "fewer than one" : String(Math.round(average));
  return [
    {
      id: "opt-out-spike",
      type: "opt-out-spike",
      severity: "warning",
      title: `${today} contacts opted out in the last 24 hours`,
      detail: `In the week before, ${compared} per day did.`,
      href: "/opt-outs",
      action: "View opt-outs",
    },
  ];
}

function checkMessages(lastDay: LastDay): Attention[] {
  const { failed } = lastDay;
  const share = failed / Math.max(attempted(lastDay), 1);
  if (failed < MIN_FAILED || share < FAILED_SHARE) return [];
  return [
    {
      id: "failed-messages",
      type: "failed-messages",
      severity: "warning",
      title: `${Math.round(share * 100)}% of messages failed in the last 24 hours`,
      detail: `${failed.toLocaleString("en")} messages could not be sent or delivered.`,
      href: "/events?types=message.failed",
      action: "View failures",
    },
  ];
}

const PROCESSOR_THAT_CANNOT_CHARGE = statement(
  "processor-that-cannot-charge",
  "select processor from processor_connections where account_id = :accountId and not can_charge",
);

async function checkPayments(ctx: Context, lastDay: LastDay): Promise<Attention[]> {
  const [connection] = await sql.run(PROCESSOR_THAT_CANNOT_CHARGE, { accountId: ctx.account.id });
  const found: Attention[] = [];
  if (connection) {
    found.push({
      id: "processor",
      type: "processor",
      severity: "critical",
      title: "The payment processor can't charge",
      detail: "The processor needs more information about your business before it accepts payments.",
      href: "/payments/settings",
      action: "View settings",
    });
  }
  const { payments_declined: declined, payments_succeeded: succeeded } = lastDay;
  if (declined >= MIN_DECLINED && declined > succeeded) {
    found.push({
      id: "declined-payments",
      type: "declined-payments",
      severity: "warning",
      title: `${declined.toLocaleString("en")} agent payments were declined in the last 24 hours`,
      detail: `${succeeded.toLocaleString("en")} payments succeeded.`,
      href: "/agent-payments",
      action: "View payments",
    });
  }
  return found;
}

const TOKENS_ABOUT_TO_EXPIRE = statement(
  "tokens-about-to-expire",
  `select id, name, expires_at from api_tokens
  where account_id = :accountId and revoked_at is null and session_id is null and expired_at is null
    and expires_at between :now and :weekAhead and expiry_notice_days is distinct from 0
  order by expires_at limit ${MAX_ROWS}`,
);

async function checkTokens(ctx: Context): Promise<Attention[]> {
  const rows = await sql.run(TOKENS_ABOUT_TO_EXPIRE, {
    accountId: ctx.account.id,
    now: ctx.now,
    weekAhead: new Date(ctx.now.getTime() + 7 * DAY_MS),
  });
  return rows.map(({ id, name, expires_at: at }) => ({
    id: `token-${id}`,
    type: "token",
    severity: at.getTime() - ctx.now.getTime() < DAY_MS ? "critical" : "warning",
    title: `The API token "${name}" is about to expire`,
    detail: "Requests with this token fail from",
    at: at.toISOString(),
    href: "/tokens",
    action: "View tokens",
  }));
}
