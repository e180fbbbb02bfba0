import "server-only";
import { endShare } from "@/lib/messaging/locations/end-share";
import { sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const AT_A_TIME = 100;

type DueShare = RowOf<"due-location-shares">;

/** Ends the shares whose end time has passed, each at its own end time. Returns the number of shares. */
export async function endDueShares(stop: AbortSignal): Promise<number> {
  let count = 0;
  while (!stop.aborted) {
    const due = await findDue();
    for (const share of due) count += (await endDue(share)) ? 1 : 0;
    if (due.length < AT_A_TIME) break;
  }
  return count;
}

const DUE_LOCATION_SHARES = statement(
  "due-location-shares",
  `select account_id, line_id, handle, ends_at from location_shares
  where ended_at is null and ends_at <= :now order by ends_at limit :atatime`,
);

function findDue(): Promise<DueShare[]> {
  return sql.run(DUE_LOCATION_SHARES, { now: now(), atatime: AT_A_TIME });
}

function endDue({ account_id, line_id, handle, ends_at }: DueShare): Promise<boolean> {
  const where = { accountId: account_id, lineId: line_id, handle };
  return transaction((tx) => endShare(tx, where, { endedAt: ends_at, traceId: newTraceId() }));
}
