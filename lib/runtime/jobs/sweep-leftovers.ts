import "server-only";
import { sql } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";
import { runInBatches, SWEEP_REST } from "@/lib/platform/tasks/run-in-batches";
import { now } from "@/lib/platform/time/clock";

const BATCH_ROWS = 1000;
const DAY_MS = 86_400_000;

interface Swept {
  table: string;
  /** The time of a row's last use. */
  column: string;
  days: number | (() => number);
  /** Only these rows, by a partial index. */
  where?: string;
  /** Rows that are kept at any age. */
  unless?: string;
}

/**
 * Rows that are not needed after a period, and the reason for the period. Data that people can view has separate
 * sweeps.
 */
const SWEPT: readonly Swept[] = [
  // Messages on simulated phones matter only during a test; those with a pending receipt stay.
  { table: "simulator_messages", column: "created_at", days: 30, unless: "due_at is not null" },
  { table: "simulator_actions", column: "created_at", days: 30 },
  // A snapshot matters only during a test suite. Its tables are deleted with it.
  { table: "simulator_snapshots", column: "created_at", days: 7 },
  // As long as their events, which are kept at most a tenth longer than the setting, at least a day, and longer while
  // deliveries of them wait.
  {
    table: "chat_turn_messages",
    column: "created_at",
    days: () => Math.ceil(env().EVENT_LOG_DAYS * 1.1) + 1,
    unless: `exists (select from events e where e.account_id = chat_turn_messages.account_id
      and e.id = chat_turn_messages.event_id and not e.internal)`,
  },
  // A card may be shared once a day; the second day allows for clock differences.
  { table: "contact_card_shares", column: "shared_at", days: 2 },
  // Checks are at least ten seconds apart; the next check recreates the row.
  { table: "capability_checks", column: "checked_at", days: 1 },
  // Longer than any transport's cache lifetime; afterwards the capability is checked again.
  { table: "handle_capabilities", column: "checked_at", days: 30 },
  // A canceled message has no content; its idempotency key answers 404 for as long as it could have waited.
  { table: "scheduled_messages", column: "canceled_at", days: 30 },
  // The dashboard lists the messages that were refused when they were due; the failed message itself stays.
  { table: "scheduled_messages", column: "refused_at", days: 30 },
  // A day's count enforces that day's cap; a week of counts shows why the cap was reached.
  { table: "account_days", column: "day", days: 7 },
  // The request log and the audit trail name the explorer's tokens; events are kept as long by default.
  { table: "api_tokens", column: "expires_at", days: 90, unless: "session_id is null" },
  // SESSION_HOURS is at most 30 days. Sessions use PostgreSQL's clock, which may be behind the platform clock.
  { table: "sessions", column: "created_at", days: 31, unless: "created_at > now() - interval '31 days'" },
  // An invitation that no one accepted can be sent again for a month. It holds an address and a name.
  { table: "invitations", column: "expires_at", days: 30 },
  { table: "sign_in_links", column: "expires_at", days: 30 },
  // Failures are forgotten after a day.
  { table: "sign_in_throttles", column: "last_attempt_at", days: 2 },
  // A challenge works for five minutes; a used one must be known until then.
  { table: "used_passkey_challenges", column: "expires_at", days: 1 },
  // The content has gone with the email; a month of rows shows whether an invitation was sent.
  { table: "outgoing_mails", column: "created_at", days: 30 },
  // As long as the request log by default.
  { table: "set_aside_events", column: "last_at", days: 30 },
  // The Instance page shows what happened in the last weeks. Notifications are deleted with their alert.
  { table: "operator_alerts", column: "closed_at", days: 90 },
  // Pages show 30 days; a year of counts allows comparisons.
  { table: "line_days", column: "day", days: 400 },
  { table: "account_hours", column: "hour", days: 400 },
  // A chart of 90 days and the 90 days before it; totals of longer ago come from the rows of days.
  { table: "line_activity", column: "at", days: 190, where: "minutes = 15" },
  { table: "line_activity", column: "at", days: 400, where: "minutes = 1440" },
];

/**
 * Deletes expired rows of limits, checks and simulated phones in short statements, until none remain or `stop` is
 * aborted. Chat actions need no sweep: each row is deleted when its action ends. Returns the number of deleted rows.
 */
export async function sweepLeftovers(stop: AbortSignal): Promise<number> {
  let swept = 0;
  for (const table of SWEPT) swept += await sweepTable(table, stop);
  return swept;
}

async function sweepTable(
  { table, column, days, where = "true", unless = "false" }: Swept,
  stop: AbortSignal,
): Promise<number> {
  const age = typeof days === "number" ? days : days();
  const before = new Date(now().getTime() - age * DAY_MS);
  let swept = 0;
  const sweepBatch = async () => {
    const rows = await sql.runText({
      text: `delete from ${table} where ctid = any(array(
               select ctid from ${table} where ${column} < $1 and ${where} and not (${unless}) limit ${BATCH_ROWS}))
             returning 1`,
      values: [before],
    });
    swept += rows.length;
    return rows.length === BATCH_ROWS;
  };
  await runInBatches(sweepBatch, { rest: SWEEP_REST, stop });
  return swept;
}
