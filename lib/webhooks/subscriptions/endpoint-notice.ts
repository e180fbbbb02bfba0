import "server-only";
import { isStopped } from "@/lib/events/store/delivery-state";
import { type NewNotice, recordNotice, withdrawNotices } from "@/lib/identity/notices/record-notice";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { ladderSpanMs, type RetryLadder } from "@/lib/platform/time/retry-ladder";
import { displayTarget } from "@/lib/webhooks/targets/display-target";

const FAILING = "webhook_failing";
const DISABLED = "webhook_disabled";
const SKIPPED = "webhook_events_skipped";
const STOPPED = "webhook_chats_stopped";
export const UNREADABLE_SECRET = "webhook_secret_unreadable";

export interface NoticedEndpoint {
  accountId: string;
  id: string;
  targetUrl: string;
}

/** Adds a notice that an endpoint is failing and dismisses the earlier ones of its health. */
export function noticeFailing(
  tx: Sql,
  endpoint: NoticedEndpoint,
  how: Pick<NewNotice, "severity" | "body" | "at">,
): Promise<void> {
  const title = `The webhook endpoint ${displayTarget(endpoint.targetUrl)} is failing`;
  return notice(tx, endpoint, { ...how, kind: FAILING, title, link: `/webhooks/${endpoint.id}` });
}

/** Adds a notice that an endpoint was disabled and dismisses the earlier ones of its health. */
export function noticeDisabled(
  tx: Sql,
  endpoint: NoticedEndpoint,
  how: Pick<NewNotice, "body" | "at">,
): Promise<void> {
  const title = `The webhook endpoint ${displayTarget(endpoint.targetUrl)} was disabled`;
  return notice(tx, endpoint, {
    ...how,
    severity: "critical",
    kind: DISABLED,
    title,
    link: `/webhooks/${endpoint.id}?resume`,
  });
}

/** The largest number of skipped events that a notice names. */
const MAX_COUNTED = 10_000;

const COUNT_SKIPPED = plannedStatement(
  "count-skipped-deliveries",
  `select count(*)::int as "count!" from (
    select distinct d.event_seq from webhook_subscriptions s join webhook_deliveries d
      on d.account_id = s.account_id and d.subscription_id = s.id and d.status = 'skipped'
        and d.ended_at >= s.disabled_at and d.created_at >= s.disabled_at - :spanMs::float8 * interval '1 ms'
    where s.account_id = :accountId and s.id = :id
    limit ${MAX_COUNTED + 1}) skipped`,
);

/**
 * The events that were skipped since the endpoint was paused or disabled, at most 10,001. Those that were being retried
 * then are older. `ladder`: the endpoint's waits between retries.
 */
export async function countSkipped(
  tx: Sql,
  { accountId, id }: Pick<NoticedEndpoint, "accountId" | "id">,
  ladder: RetryLadder,
): Promise<number> {
  const [row] = await tx.run(COUNT_SKIPPED, { accountId, id, spanMs: ladderSpanMs(ladder) });
  return row?.count ?? 0;
}

/** Notifies users that `count` events were skipped while the endpoint was paused or disabled, and offers a replay. */
export async function noticeSkipped(
  tx: Sql,
  endpoint: NoticedEndpoint,
  { count, at }: { count: number; at: Date },
): Promise<void> {
  const { accountId, id } = endpoint;
  const events =
    count > MAX_COUNTED ? `More than ${MAX_COUNTED.toLocaleString("en")} events` : eventsText(count);
  await withdrawSkipped(tx, endpoint, at);
  await recordNotice(tx, {
    accountId,
    objectId: id,
    kind: SKIPPED,
    severity: "warning",
    title: `${events} for ${displayTarget(endpoint.targetUrl)} ${count === 1 ? "was" : "were"} skipped`,
    body: "The endpoint was paused or disabled, and is active again. Replay the events to deliver them now.",
    link: `/webhooks/${id}/replays?replay`,
    at,
  });
}

function eventsText(count: number): string {
  return count === 1 ? "1 event" : `${count.toLocaleString("en")} events`;
}

/**
 * Withdraws the notice of `noticeSkipped` after a replay of all skipped events was started, or the endpoint was paused
 * again or deleted.
 */
export function withdrawSkipped(
  tx: Sql,
  { accountId, id }: Pick<NoticedEndpoint, "accountId" | "id">,
  at: Date,
): Promise<void> {
  return withdrawNotices(tx, { accountId, objectId: id, kinds: [SKIPPED], at });
}

const HAS_OPEN_NOTICE = plannedStatement(
  "has-open-notice",
  `select from account_notices
  where account_id = :accountId and object_id = :id and kind = :kind and dismissed_at is null`,
);

/**
 * Notifies users that deliveries wait because the signing secret cannot be decrypted. Does nothing while that notice is
 * open. The caller must hold the lock on the endpoint's row.
 */
export async function noticeUnreadable(tx: Sql, endpoint: NoticedEndpoint, at: Date): Promise<void> {
  const { accountId, id } = endpoint;
  const open = await tx.run(HAS_OPEN_NOTICE, { accountId, id, kind: UNREADABLE_SECRET });
  if (open.length > 0) return;
  await recordNotice(tx, {
    accountId,
    objectId: id,
    kind: UNREADABLE_SECRET,
    severity: "critical",
    title: `The signing secret of ${displayTarget(endpoint.targetUrl)} can't be decrypted`,
    body: "Deliveries are paused and use no attempts. Ask the operator to restore the key in ENCRYPTION_KEY, or rotate the secret.",
    link: `/webhooks/${id}`,
    at,
  });
}

/** Withdraws the notice of `noticeUnreadable` after the secret was replaced or the key was restored. */
export function withdrawUnreadable(
  tx: Sql,
  { accountId, id }: Pick<NoticedEndpoint, "accountId" | "id">,
  at: Date,
): Promise<void> {
  return withdrawNotices(tx, { accountId, objectId: id, kinds: [UNREADABLE_SECRET], at });
}

/**
 * Notifies users that a delivery permanently failed and its chat is stopped. Does nothing while that notice is open,
 * because it is about all stopped chats. The caller must hold the lock on the endpoint's row.
 */
export async function noticeStopped(tx: Sql, endpoint: NoticedEndpoint, at: Date): Promise<void> {
  const { accountId, id } = endpoint;
  const open = await tx.run(HAS_OPEN_NOTICE, { accountId, id, kind: STOPPED });
  if (open.length > 0) return;
  await recordNotice(tx, {
    accountId,
    objectId: id,
    kind: STOPPED,
    severity: "warning",
    title: `Chats are stopped at ${displayTarget(endpoint.targetUrl)}`,
    body: "A delivery permanently failed, and the later events of its chat wait. Retry the delivery or skip it.",
    link: `/webhooks/${id}?status=stopped`,
    at,
  });
}

/** Withdraws the notice of `noticeStopped` after every chat was resumed, or the endpoint has no stopped chats any more. */
export function withdrawStopped(
  tx: Sql,
  { accountId, id }: Pick<NoticedEndpoint, "accountId" | "id">,
  at: Date,
): Promise<void> {
  return withdrawNotices(tx, { accountId, objectId: id, kinds: [STOPPED], at });
}

const HAS_STOPPED = plannedStatement(
  "has-stopped-chats",
  `select from webhook_deliveries d
  where d.account_id = :accountId and d.subscription_id = :id and ${isStopped("d")} limit 1`,
);

/**
 * Adds the notice of `noticeStopped` again for an endpoint that is active again before the chats that it had stopped
 * were skipped. The caller must hold the lock on the endpoint's row.
 */
export async function noticeIfStopped(tx: Sql, endpoint: NoticedEndpoint, at: Date): Promise<void> {
  const stopped = await tx.run(HAS_STOPPED, { accountId: endpoint.accountId, id: endpoint.id });
  if (stopped.length > 0) await noticeStopped(tx, endpoint, at);
}

/** Withdraws the notice of `noticeStopped` unless a chat is stopped. The caller must hold the lock on the endpoint's row. */
export async function withdrawUnlessStopped(
  tx: Sql,
  { accountId, id }: Pick<NoticedEndpoint, "accountId" | "id">,
  at: Date,
): Promise<void> {
  const stopped = await tx.run(HAS_STOPPED, { accountId, id });
  if (stopped.length === 0) await withdrawStopped(tx, { accountId, id }, at);
}

/**
 * Dismisses the notices of an endpoint's health after it recovered, changed or was deleted. That of skipped events stays,
 * because they are still not delivered.
 */
export function withdrawEndpointNotices(
  tx: Sql,
  { accountId, id }: Pick<NoticedEndpoint, "accountId" | "id">,
  at: Date,
): Promise<void> {
  return withdrawNotices(tx, { accountId, objectId: id, kinds: [FAILING, DISABLED], at });
}

async function notice(
  tx: Sql,
  endpoint: NoticedEndpoint,
  how: Pick<NewNotice, "kind" | "severity" | "title" | "body" | "link" | "at">,
): Promise<void> {
  const { accountId, id } = endpoint;
  await withdrawEndpointNotices(tx, endpoint, how.at);
  await recordNotice(tx, { ...how, accountId, objectId: id });
}
