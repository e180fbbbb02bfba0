import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { clockParameters, platformNowSql } from "@/lib/platform/time/clock";

/** A line that went down is polled again after this time, if its transport polls. */
const LOOK_AGAIN_SECONDS = 1;
const NOW = platformNowSql();

type LineState = Pick<InEvent<"line">, "reason" | "route">;

const SET_LINE_UP = statement(
  "set-line-up",
  `update lines set is_up = :isUp, down_reason = case when :isUp then null else :downReason::text end,
    down_since = case when :isUp then null else coalesce(down_since, ${NOW}) end,
    upstream_lines = case when :isRouteKnown::boolean then :route::jsonb else upstream_lines end,
    poll_due_at = case when :isUp then 'epoch'
      else least(poll_due_at, ${NOW} + interval '${LOOK_AGAIN_SECONDS} seconds') end
  where account_id = :accountId and id = :lineId and (is_up <> :isUp or down_reason is distinct from :downReason::text
    or (:isRouteKnown::boolean and upstream_lines::text is distinct from :route::jsonb::text))
  returning id`,
);

const QUEUE_PENDING_MESSAGES = plannedStatement(
  "queue-pending-messages",
  `update messages set delivery_status = 'queued'
  where account_id = :accountId and line_id = :lineId and dispatch_at is not null and dispatch_lease_until is null
    and delivery_status = 'pending'`,
);

/**
 * Records that a line's transport went down, with the reason, or came back. While it is down, the line's pending
 * messages are `queued`; they are sent in order when it is up again (docs/contract.md, section 11.2). A line that came
 * back is polled at once, because messages may have arrived meanwhile.
 */
export async function setLineUp(
  accountId: string,
  lineId: string,
  isUp: boolean,
  { reason, route }: LineState = {},
): Promise<void> {
  await transaction(async (tx) => {
    const changed = await tx.run(SET_LINE_UP, {
      accountId,
      lineId,
      isUp,
      downReason: isUp ? null : (reason ?? null),
      isRouteKnown: route !== undefined,
      ...clockParameters(),
      route: route == null ? null : JSON.stringify(route),
    });
    if (changed.length === 0) return;
    if (!isUp) {
      await tx.run(QUEUE_PENDING_MESSAGES, { accountId, lineId });
    }
    tx.wake("messages");
    tx.wake("actions");
    tx.wake("lines");
  });
}
