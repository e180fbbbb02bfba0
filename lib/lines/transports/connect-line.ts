import "server-only";
import { isDeepStrictEqual } from "node:util";
import type { Connection } from "@/lib/adapters/transports/callback";
import { allTransports } from "@/lib/adapters/transports/registry";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { lockActive, openActive } from "@/lib/lines/transports/line-transport-rows";
import { keepVendor } from "@/lib/lines/transports/switch-transport";
import { vendorSettings } from "@/lib/lines/transports/transport-fields";
import type { Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

/**
 * Connects a line to its vendor and replaces an earlier connection. The audit log contains the names of the settings,
 * not their values. Errors: line_not_found for a line that is unknown or was released, parameter_invalid for settings
 * that its transport does not accept.
 */
export async function connectLine(ctx: Context, lineId: string, connection: Connection): Promise<void> {
  await transaction(async (tx) => {
    const before = await requireSettings(tx, ctx, lineId, connection);
    const isConnected = await setLineConnection({ accountId: ctx.account.id, id: lineId }, connection, tx);
    if (!isConnected) fail("line_not_found", "the line is unknown or was released");
    if (before !== null) await keepVendor(tx, { accountId: ctx.account.id, lineId }, before);
    await recordAudit(tx, ctx, "line.connected", "line", lineId, {
      settings: Object.keys(connection).sort(),
    });
  });
}

/** Returns the numbers of the connections before and after if both lead to the same vendor account, else null. */
async function requireSettings(
  tx: Sql,
  ctx: Context,
  lineId: string,
  connection: Connection,
): Promise<{ from: number; to: number } | null> {
  const active = await lockActive(tx, ctx.account.id, lineId);
  const transport = allTransports().find(({ name }) => name === active?.transport);
  const [issue] = transport?.settings?.safeParse(connection).error?.issues ?? [];
  if (issue !== undefined) fail("parameter_invalid", `${issue.path.join(".")}: ${issue.message}`);
  if (active === null || transport === undefined) return null;
  const before = vendorSettings(transport, openActive(ctx.account.id, active));
  if (!isDeepStrictEqual(before, vendorSettings(transport, connection))) return null;
  return { from: active.connection_number, to: active.connections_made + 1 };
}
