import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import { transaction } from "@/lib/platform/database/db";
import { clockParameters, platformNowSql } from "@/lib/platform/time/clock";

/** A line that went down is polled again after this time, if its transport polls. */
const LOOK_AGAIN_SECONDS = 1;
const NOW = platformNowSql("$6", "$7");

type LineState = Pick<InEvent<"line">, "reason" | "route">;

/**
 * Records that a line's transport went down, with the reason, or came back. While it is down, the line's pending
 * messages are `queued`; they are sent in order when it is up again (contract.md 0). A line that came back is polled at
 * once, because messages may have arrived meanwhile.
 */
export async function setLineUp(
  accountId: string,
  lineId: string,
  isUp: boolean,
  { reason, route }: LineState = {},
): Promise<void> {
  await transaction(async (tx) => {
    const changed = await tx.query({
      name: "set-line-up",
      text: `update lines set is_up = $3, down_reason = case when $3 then null else $4::text end,
               down_since = case when $3 then null else coalesce(down_since, ${NOW}) end,
               upstream_lines = case when $5::boolean then $8::jsonb else upstream_lines end,
               poll_due_at = case when $3 then 'epoch'
                 else least(poll_due_at, ${NOW} + interval '${LOOK_AGAIN_SECONDS} seconds') end
             where account_id = $1 and id = $2 and (is_up <> $3 or down_reason is distinct from $4::text
               or ($5::boolean and upstream_lines::text is distinct from $8::jsonb::text))
             returning id`,
      values: [
        accountId,
        lineId,
        isUp,
        isUp ? null : (reason ?? null),
        route !== undefined,
        ...clockParameters(),
        route == null ? null : JSON.stringify(route),
      ],
    });
    if (changed.length === 0) return;
    if (!isUp) {
      await tx.query({
        text: `update messages set delivery_status = 'queued'
               where account_id = $1 and line_id = $2 and dispatch_at is not null and dispatch_lease_until is null
                 and delivery_status = 'pending'`,
        values: [accountId, lineId],
      });
    }
    tx.wake("messages");
    tx.wake("actions");
    tx.wake("lines");
  });
}
