import "server-only";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { recordNotice, withdrawNotices } from "@/lib/identity/notices/record-notice";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

/** The kind of the notice that a consumer will be deleted. */
export const IDLE_KIND = "consumer_idle";

const DAY_MS = 86_400_000;
/** Days without use after which a consumer is deleted, and before that its people are warned. */
const IDLE_DAYS = 30;
const WARN_DAYS = 23;

const FIND_IDLE_CONSUMERS = plannedStatement(
  "find-idle-consumers",
  `select account_id, name, id, active_at <= :deleteBefore as "is_due!" from event_consumers
  where active_at <= :deleteBefore or (active_at <= :warnBefore and warned_at is null)`,
);

const WARN_CONSUMER = plannedStatement(
  "warn-consumer",
  `update event_consumers set warned_at = :now
  where account_id = :accountId and name = :name and active_at <= :before and warned_at is null returning active_at`,
);

const DELETE_IDLE_CONSUMER = plannedStatement(
  "delete-idle-consumer",
  `delete from event_consumers where account_id = :accountId and name = :name and active_at <= :before
    and warned_at <= :warnedBefore returning id`,
);

const FIND_REVIVED_NOTICES = plannedStatement(
  "find-revived-consumer-notices",
  `select n.account_id, n.object_id as "object_id!" from account_notices n
    join event_consumers c on c.account_id = n.account_id and c.id = n.object_id
  where n.kind = '${IDLE_KIND}' and n.dismissed_at is null and c.warned_at is null`,
);

/**
 * Warns the account's people of consumers that were not used for 23 days, and deletes those that were not for 30, at least
 * a week after the warning. Withdraws the warning of a consumer that is used again. Returns the number of consumers deleted.
 */
export async function sweepConsumers(stop: AbortSignal): Promise<number> {
  const at = now();
  const deleteBefore = new Date(at.getTime() - IDLE_DAYS * DAY_MS);
  const warnBefore = new Date(at.getTime() - WARN_DAYS * DAY_MS);
  for (const { account_id, object_id } of await sql.run(FIND_REVIVED_NOTICES)) {
    await withdrawNotices(sql, { accountId: account_id, objectId: object_id, kinds: [IDLE_KIND], at });
  }
  let deleted = 0;
  for (const consumer of await sql.run(FIND_IDLE_CONSUMERS, { deleteBefore, warnBefore })) {
    if (stop.aborted) break;
    const key = { accountId: consumer.account_id, name: consumer.name };
    if (consumer.is_due && (await deleteIdle(key, deleteBefore, at))) deleted++;
    else await warn({ ...key, id: consumer.id }, warnBefore, at);
  }
  return deleted;
}

interface Key {
  accountId: string;
  name: string;
}

function warn({ id, ...key }: Key & { id: string }, before: Date, at: Date): Promise<void> {
  return transaction(async (tx) => {
    const [warned] = await tx.run(WARN_CONSUMER, { ...key, before, now: at });
    if (warned === undefined) return;
    const day = new Date(at.getTime() + (IDLE_DAYS - WARN_DAYS) * DAY_MS).toISOString().slice(0, 10);
    await recordNotice(tx, {
      accountId: key.accountId,
      objectId: id,
      kind: IDLE_KIND,
      severity: "warning",
      title: `The event consumer ${key.name} is not used`,
      body: `Nothing has polled it since ${warned.active_at.toISOString().slice(0, 10)}. It will be deleted on or after ${day}, and its position is lost. Poll it to keep it.`,
      link: `/webhooks/consumers/${key.name}`,
      at,
    });
  });
}

function deleteIdle(key: Key, before: Date, at: Date): Promise<boolean> {
  return transaction(async (tx) => {
    const warnedBefore = new Date(at.getTime() - (IDLE_DAYS - WARN_DAYS) * DAY_MS);
    const [gone] = await tx.run(DELETE_IDLE_CONSUMER, { ...key, before, warnedBefore });
    if (gone === undefined) return false;
    await withdrawNotices(tx, { accountId: key.accountId, objectId: gone.id, kinds: [IDLE_KIND], at });
    const scope = { partnerId: null, accountId: key.accountId, at };
    await recordSystemAudit(tx, scope, "consumer.expired", "consumer", key.name);
    return true;
  });
}
