import "server-only";

/** Window in which an unanswered send counts (docs/contract.md, section 5.7). */
const WINDOW_HOURS = 24;
const AT_RISK_AFTER = 4;
const CRITICAL_AFTER = 8;

/** The health computed from a chat's sends. OPTED_OUT is never computed: it comes from an opt-out. */
export type CountedHealth = "HEALTHY" | "AT_RISK" | "CRITICAL";

/**
 * A chat's health from the times of its sends since the recipient last wrote (docs/contract.md, section 5.7): AT_RISK
 * with 4 of them in 24 h, CRITICAL with 8.
 */
export function chatHealth(unanswered: readonly Date[], at: Date): CountedHealth {
  const windowFrom = at.getTime() - WINDOW_HOURS * 3_600_000;
  const recent = unanswered.filter((sentAt) => sentAt.getTime() > windowFrom).length;
  if (recent >= CRITICAL_AFTER) return "CRITICAL";
  return recent >= AT_RISK_AFTER ? "AT_RISK" : "HEALTHY";
}

/**
 * SQL: a chat's unanswered sends with `count` more at `at`, oldest first, limited to those that can affect its health.
 */
export function withSendsSql(unanswered: string, count: string, at: string): string {
  const all = `(${unanswered} || array_fill(${at}::timestamptz, array[(${count})::int]))`;
  return `${all}[greatest(1, cardinality(${unanswered}) + (${count})::int - ${CRITICAL_AFTER - 1}):]`;
}

/** SQL: `chatHealth` of an array of send times in ascending order. */
export function chatHealthSql(unanswered: string, at: string): string {
  return `(case
    when ${isOverSql(unanswered, CRITICAL_AFTER, at)} then 'CRITICAL'
    when ${isOverSql(unanswered, AT_RISK_AFTER, at)} then 'AT_RISK'
    else 'HEALTHY' end)::health_status`;
}

/** SQL: the time at which that health improves without an answer; null when it can't. */
export function healthDueSql(unanswered: string, at: string): string {
  return `(case
    when ${isOverSql(unanswered, CRITICAL_AFTER, at)} then ${nthLatestSql(unanswered, CRITICAL_AFTER)}
    when ${isOverSql(unanswered, AT_RISK_AFTER, at)} then ${nthLatestSql(unanswered, AT_RISK_AFTER)}
    end + interval '${WINDOW_HOURS} hours')`;
}

function isOverSql(unanswered: string, most: number, at: string): string {
  return `${nthLatestSql(unanswered, most)} > ${at}::timestamptz - interval '${WINDOW_HOURS} hours'`;
}

function nthLatestSql(unanswered: string, place: number): string {
  return `(${unanswered})[cardinality(${unanswered}) - ${place - 1}]`;
}
