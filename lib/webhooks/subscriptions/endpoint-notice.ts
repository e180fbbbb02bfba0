import "server-only";
import { type NewNotice, recordNotice, withdrawNotices } from "@/lib/identity/notices/record-notice";
import type { Sql } from "@/lib/platform/database/db";
import { displayTarget } from "@/lib/webhooks/targets/display-target";

const FAILING = "webhook_failing";
const DISABLED = "webhook_disabled";
export const UNREADABLE_SECRET = "webhook_secret_unreadable";

export interface NoticedEndpoint {
  accountId: string;
  id: string;
  targetUrl: string;
}

/** Adds a notice that an endpoint is failing and dismisses its earlier notices. */
export function noticeFailing(
  tx: Sql,
  endpoint: NoticedEndpoint,
  how: Pick<NewNotice, "severity" | "body" | "at">,
): Promise<void> {
  const title = `The webhook endpoint ${displayTarget(endpoint.targetUrl)} is failing`;
  return notice(tx, endpoint, { ...how, kind: FAILING, title });
}

/** Adds a notice that an endpoint was disabled and dismisses its earlier notices. */
export function noticeDisabled(
  tx: Sql,
  endpoint: NoticedEndpoint,
  how: Pick<NewNotice, "body" | "at">,
): Promise<void> {
  const title = `The webhook endpoint ${displayTarget(endpoint.targetUrl)} was disabled`;
  return notice(tx, endpoint, { ...how, severity: "critical", kind: DISABLED, title });
}

/**
 * Notifies users that deliveries wait because the signing secret cannot be decrypted. Does nothing while that notice is
 * open. The caller must hold the lock on the endpoint's row.
 */
export async function noticeUnreadable(tx: Sql, endpoint: NoticedEndpoint, at: Date): Promise<void> {
  const { accountId, id } = endpoint;
  const open = await tx.query({
    text: `select from account_notices
           where account_id = $1 and object_id = $2 and kind = $3 and dismissed_at is null`,
    values: [accountId, id, UNREADABLE_SECRET],
  });
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

/** Dismisses an endpoint's notices after it recovered, changed or was deleted. */
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
  how: Pick<NewNotice, "kind" | "severity" | "title" | "body" | "at">,
): Promise<void> {
  const { accountId, id } = endpoint;
  await withdrawEndpointNotices(tx, endpoint, how.at);
  await recordNotice(tx, { ...how, accountId, objectId: id, link: `/webhooks/${id}` });
}
