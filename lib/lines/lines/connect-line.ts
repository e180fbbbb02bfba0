import "server-only";
import type { Connection } from "@/lib/adapters/transports/callback";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { setLineConnection } from "@/lib/lines/lines/line-connection";
import type { Context } from "@/lib/platform/context";
import { transaction } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

/**
 * Connects a line to its vendor and replaces an earlier connection. The audit log contains the names of the settings,
 * not their values. Errors: line_not_found for a line that is unknown or was released.
 */
export async function connectLine(ctx: Context, lineId: string, connection: Connection): Promise<void> {
  await transaction(async (tx) => {
    const isConnected = await setLineConnection({ accountId: ctx.account.id, id: lineId }, connection, tx);
    if (!isConnected) fail("line_not_found", "the line is unknown or was released");
    await recordAudit(tx, ctx, "line.connected", "line", lineId, {
      settings: Object.keys(connection).sort(),
    });
  });
}
