import "server-only";
import type { Connection } from "@/lib/adapters/transports/callback";
import { allTransports } from "@/lib/adapters/transports/registry";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { setLineConnection } from "@/lib/lines/lines/line-connection";
import type { Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

/**
 * Connects a line to its vendor and replaces an earlier connection. The audit log contains the names of the settings,
 * not their values. Errors: line_not_found for a line that is unknown or was released, parameter_invalid for settings
 * that its transport does not accept.
 */
export async function connectLine(ctx: Context, lineId: string, connection: Connection): Promise<void> {
  await transaction(async (tx) => {
    await requireSettings(tx, ctx, lineId, connection);
    const isConnected = await setLineConnection({ accountId: ctx.account.id, id: lineId }, connection, tx);
    if (!isConnected) fail("line_not_found", "the line is unknown or was released");
    await recordAudit(tx, ctx, "line.connected", "line", lineId, {
      settings: Object.keys(connection).sort(),
    });
  });
}

async function requireSettings(tx: Sql, ctx: Context, lineId: string, connection: Connection): Promise<void> {
  const [line] = await tx.query<{ transport: string }>({
    name: "transport-of-line",
    text: "select transport from lines where account_id = $1 and id = $2 and released_at is null",
    values: [ctx.account.id, lineId],
  });
  const settings = allTransports().find(({ name }) => name === line?.transport)?.settings;
  const [issue] = settings?.safeParse(connection).error?.issues ?? [];
  if (issue !== undefined) fail("parameter_invalid", `${issue.path.join(".")}: ${issue.message}`);
}
