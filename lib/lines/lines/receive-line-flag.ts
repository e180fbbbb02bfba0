import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { traceReceived } from "@/lib/lines/connections/trace-received";
import { changeLineStatus, type LineStatusRow, lockLineStatus } from "@/lib/lines/lines/set-line-status";
import type { Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import type { LineStatus } from "@/lib/platform/prisma/enums";
import { now } from "@/lib/platform/time/clock";

/**
 * Records that a line's transport has restricted the line or lifted the restriction (docs/contract.md, section 11.2).
 * Writes on a restricted line fail with 2027. Clears only flags that the transport set. Does nothing for a line that
 * was released.
 */
export async function receiveLineFlag(line: LineRef, { isFlagged }: InEvent<"line_flag">): Promise<void> {
  await traceReceived(line, "line_flag", (traceId) =>
    transaction(async (tx) => {
      const ctx = await contextOf(tx, line, traceId);
      const before = await lockLineStatus(tx, ctx, line.id);
      if (before === null) return;
      const status = statusAfter(before, isFlagged);
      if (status === before.status) return;
      const { reputation } = before;
      await changeLineStatus(tx, ctx, { lineId: line.id, before, status, reputation, by: "transport" });
    }),
  );
}

function statusAfter({ status, flagged_by }: LineStatusRow, isFlagged: boolean): LineStatus {
  if (isFlagged) return "FLAGGED";
  return flagged_by === "transport" ? "ACTIVE" : status;
}

const FIND_ACCOUNT_OF_FLAGGED_LINE = plannedStatement(
  "find-account-of-flagged-line",
  `select id, partner_id as "partnerId", type from accounts where id = :accountId`,
);

async function contextOf(tx: Sql, { accountId }: LineRef, traceId: string): Promise<Context> {
  const [account] = await tx.run(FIND_ACCOUNT_OF_FLAGGED_LINE, { accountId });
  if (account === undefined) throw new Error(`there is no account ${accountId}`);
  return { account, actor: { type: "system" }, traceId, now: now() };
}
