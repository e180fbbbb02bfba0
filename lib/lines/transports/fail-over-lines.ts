import "server-only";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { lockActive, readStandbys } from "@/lib/lines/transports/line-transport-rows";
import { swapWithStandby } from "@/lib/lines/transports/switch-transport";
import { sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";
import { clockParameters, now, platformNowSql } from "@/lib/platform/time/clock";

const LOOK_MS = 5000;
const BATCH = 100;
const NOW = platformNowSql();

const IS_DUE = `not l.is_up and l.failover_seconds is not null and l.released_at is null
  and l.down_since <= ${NOW} - l.failover_seconds * interval '1 second'`;

const LINES_TO_FAIL_OVER = statement(
  "lines-to-fail-over",
  `select l.account_id, a.partner_id, l.id from lines l join accounts a on a.id = l.account_id
  where ${IS_DUE} and exists (
    select from line_standbys s where s.account_id = l.account_id and s.line_id = l.id)
  order by l.down_since limit ${BATCH}`,
);

const IS_LINE_TO_FAIL_OVER = statement(
  "is-line-to-fail-over",
  `select 1 from lines l where ${IS_DUE} and l.account_id = :accountId and l.id = :id`,
);

/**
 * Makes lines that have been down for long enough use the next connection of their order, and after the last the first.
 * Returns the number of lines that changed their connection.
 */
export async function failOverLines(stop: AbortSignal): Promise<number> {
  const due = await sql.run(LINES_TO_FAIL_OVER, clockParameters());
  let switched = 0;
  for (const line of due) {
    if (stop.aborted) break;
    if (await failOver(line)) switched++;
  }
  return switched;
}

async function failOver({
  account_id: accountId,
  partner_id: partnerId,
  id,
}: RowOf<"lines-to-fail-over">): Promise<boolean> {
  return transaction(async (tx) => {
    const active = await lockActive(tx, accountId, id);
    // Another process was faster, or the line came back.
    const [still] = await tx.run(IS_LINE_TO_FAIL_OVER, { ...clockParameters(), accountId, id });
    if (active === null || still === undefined) return false;
    const standbys = await readStandbys(tx, accountId, id);
    const next = standbys.find(({ position }) => position > active.transport_position) ?? standbys[0];
    if (next === undefined) return false;
    await swapWithStandby(tx, accountId, active, next);
    const scope = { partnerId, accountId, at: now() };
    await recordSystemAudit(tx, scope, "line.transport_switched", "line", id, {
      before: { position: active.transport_position, transport: active.transport },
      after: { position: next.position, transport: next.transport },
      reason: active.down_reason,
    });
    log.warn({ lineId: id, from: active.transport, to: next.transport }, "a line uses its next connection");
    return true;
  });
}

/** Looks for lines to fail over every five seconds. */
export function startFailover(lookMs = LOOK_MS): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let looking: Promise<unknown> = Promise.resolve();
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    looking = failOverLines(stopping.signal)
      .catch((error: unknown) => log.warn({ err: error }, "lines could not be failed over"))
      .finally(() => {
        isLooking = false;
      });
  }, lookMs);
  return {
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await looking;
    },
  };
}
