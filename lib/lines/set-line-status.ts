import "server-only";
import { recordAudit } from "@/lib/audit/record-audit";
import type { FactsOf } from "@/lib/events/catalog";
import { emitEvents } from "@/lib/events/emit-event";
import { toReputation } from "@/lib/lines/line";
import type { Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/db";
import type { LineStatus } from "@/lib/platform/prisma/enums";

interface LineBefore {
  phone_number: string;
  status: LineStatus;
  reputation: Parameters<typeof toReputation>[0];
}

/**
 * Flags a line, whose writes are then refused with 2027, or clears it (contract.md 0). Tells whom it concerns with
 * phone_number.status_updated; a line that has the status already stays as it is. Throws when the account has no such line.
 */
export async function setLineStatus(ctx: Context, lineId: string, status: LineStatus): Promise<void> {
  await transaction(async (tx) => {
    const before = await lockLine(tx, ctx, lineId);
    if (before.status === status) return;

    await tx.query({
      text: "update lines set status = $3::text::line_status where account_id = $1 and id = $2",
      values: [ctx.account.id, lineId, status],
    });
    const change = { from: before.status, to: status };
    await recordAudit(tx, ctx, "line.status_changed", "line", lineId, change);
    await emitStatusUpdated(tx, ctx, lineId, { ...before, to: status });
  });
}

async function lockLine(tx: Sql, ctx: Context, lineId: string): Promise<LineBefore> {
  const [line] = await tx.query<LineBefore>({
    text: `select phone_number, status, reputation from lines
           where account_id = $1 and id = $2 for no key update`,
    values: [ctx.account.id, lineId],
  });
  if (line === undefined) throw new Error(`the account has no line ${lineId}`);
  return line;
}

async function emitStatusUpdated(
  tx: Sql,
  { account, traceId, now }: Context,
  lineId: string,
  line: LineBefore & { to: LineStatus },
): Promise<void> {
  const reputation = toReputation(line.reputation);
  const data: FactsOf<"phone_number.status_updated"> = {
    phone_number: line.phone_number,
    previous: { status: line.status, reputation },
    current: { status: line.to, reputation },
    changed_at: now.toISOString(),
  };
  const about = { accountId: account.id, lineId, chatId: null, messageId: null };
  await emitEvents(tx, [{ ...about, type: "phone_number.status_updated", traceId, data, at: now }]);
}
