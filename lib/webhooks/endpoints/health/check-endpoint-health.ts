import "server-only";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import {
  type EndpointCounts,
  type EndpointHealth,
  evaluateHealth,
  HEALTH_WINDOW_MS,
  type HealthRating,
  type WarnLevel,
} from "@/lib/webhooks/endpoints/health/endpoint-health";
import { disableWebhookSubscription } from "@/lib/webhooks/subscriptions/disable-webhook-subscription";
import { noticeFailing, withdrawEndpointNotices } from "@/lib/webhooks/subscriptions/endpoint-notice";

interface Checked {
  accountId: string;
  partnerId: string;
  id: string;
  targetUrl: string;
  ratedFrom: Date | null;
  health: EndpointHealth;
  counts: EndpointCounts;
}

/**
 * Evaluates every active endpoint: warns when 50, 90 and 100% of its attempts in the last 24 hours failed, ends the
 * warning after ten successes without a failure, and disables the endpoint after five days of failures only. Runs on a
 * schedule. An endpoint whose check fails does not stop the others. Returns the number of endpoints changed.
 */
export async function checkEndpointHealth(stop?: AbortSignal): Promise<number> {
  const at = now();
  let changed = 0;
  for (const endpoint of await readEndpoints(at)) {
    if (stop?.aborted) break;
    const outcome = evaluateHealth(endpoint.health, endpoint.counts, at);
    if (!hasChanged(endpoint.health, outcome)) continue;
    try {
      await apply(endpoint, outcome, at);
      changed++;
    } catch (error) {
      const { accountId: account_id, id: subscription_id } = endpoint;
      log.error({ err: error, account_id, subscription_id }, "the health of an endpoint was not stored");
    }
  }
  return changed;
}

// Internal errors and events that the endpoint's version lacks say nothing about its health. A row of counts with a
// success counts as failing from that success on.
const READ = plannedStatement(
  "read-endpoints",
  `with counted as (
    select c.account_id, c.subscription_id, c.hour, c.count, c.first_at, c.last_at, c.outcome like '2__' as succeeded
    from webhook_subscriptions s join webhook_attempt_counts c
      on c.account_id = s.account_id and c.subscription_id = s.id and c.hour >= coalesce(s.rated_from, '-infinity')
    where s.is_active and c.outcome not in ('internal', 'not_in_version') and (s.warned_percent > 0 or exists (
      select 1 from webhook_attempt_counts f
      where f.account_id = s.account_id and f.subscription_id = s.id and f.hour > :hour and f.outcome not like '2__'))
  ), summed as (
    select account_id, subscription_id, max(last_at) filter (where succeeded) as succeeded_at,
      max(last_at) filter (where not succeeded) as failed_at,
      coalesce(sum(count) filter (where hour > :hour), 0)::int as attempts,
      coalesce(sum(count) filter (where hour > :hour and not succeeded), 0)::int as failures
    from counted group by 1, 2
  )
  select s.account_id, a.partner_id, s.id, s.target_url, s.rated_from, s.failing_since, s.warned_percent, m.attempts, m.failures,
    (select min(greatest(c.first_at, m.succeeded_at)) from counted c
     where c.account_id = m.account_id and c.subscription_id = m.subscription_id
       and not c.succeeded and c.last_at > coalesce(m.succeeded_at, '-infinity')) as failed_since,
    (select coalesce(sum(c.count), 0)::int from counted c
     where c.account_id = m.account_id and c.subscription_id = m.subscription_id
       and c.succeeded and c.first_at > m.failed_at) as succeeded_since
  from summed m join webhook_subscriptions s on s.account_id = m.account_id and s.id = m.subscription_id
  join accounts a on a.id = s.account_id
  order by s.account_id, s.id`,
);

async function readEndpoints(at: Date): Promise<Checked[]> {
  const rows = await sql.run(READ, { hour: new Date(at.getTime() - HEALTH_WINDOW_MS) });
  return rows.map((row) => ({
    accountId: row.account_id,
    partnerId: row.partner_id,
    id: row.id,
    targetUrl: row.target_url,
    ratedFrom: row.rated_from,
    health: { failingSince: row.failing_since, warnedPercent: row.warned_percent },
    counts: {
      attempts: row.attempts,
      failures: row.failures,
      failedSince: row.failed_since,
      succeededSince: row.succeeded_since,
    },
  }));
}

function hasChanged(was: EndpointHealth, is: HealthRating): boolean {
  return (
    is.disable ||
    is.warnedPercent !== was.warnedPercent ||
    is.failingSince?.getTime() !== was.failingSince?.getTime()
  );
}

async function apply(endpoint: Checked, outcome: HealthRating, at: Date): Promise<void> {
  await transaction(async (tx) => {
    if (!(await keep(tx, endpoint, outcome, at))) return;
    if (outcome.warn !== null && !outcome.disable) await warn(tx, endpoint, outcome.warn, at);
    if (outcome.warnedPercent === 0) await withdrawEndpointNotices(tx, endpoint, at);
  });
  if (outcome.disable && outcome.failingSince !== null) {
    const { accountId, partnerId, id } = endpoint;
    const since = outcome.failingSince;
    await disableWebhookSubscription({ accountId, partnerId, id, reason: "failing", since, at });
  }
}

const STORE_ENDPOINT_HEALTH = plannedStatement(
  "store-endpoint-health",
  `update webhook_subscriptions
  set failing_since = :failingSince, warned_percent = :warnedPercent, rated_from = coalesce(:ratedFrom, rated_from)
  where account_id = :accountId and id = :id and is_active and warned_percent = :knownPercent
    and rated_from is not distinct from :knownFrom
  returning id`,
);

// Concurrent checks must not both warn, and the failures of an earlier target are not those of the next one. Only the
// check that finds the state unchanged since its read reports the change.
async function keep(
  tx: Sql,
  { accountId, id, ratedFrom, health }: Checked,
  outcome: HealthRating,
  at: Date,
): Promise<boolean> {
  const rows = await tx.run(STORE_ENDPOINT_HEALTH, {
    accountId,
    id,
    knownPercent: health.warnedPercent,
    failingSince: outcome.failingSince,
    warnedPercent: outcome.warnedPercent,
    ratedFrom: outcome.isRecovered ? at : null,
    knownFrom: ratedFrom,
  });
  return rows.length > 0;
}

function warn(tx: Sql, endpoint: Checked, level: WarnLevel, at: Date): Promise<void> {
  // The endpoint's page shows the current numbers: those of this check would soon be out of date.
  const share = level === 100 ? "100%" : `At least ${level}%`;
  return noticeFailing(tx, endpoint, {
    severity: level === 100 ? "critical" : "warning",
    body: `${share} of attempts in 24 hours failed. Trunkline disables the endpoint after five days of failures.`,
    at,
  });
}
