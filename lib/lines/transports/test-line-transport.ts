import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Connection } from "@/lib/adapters/transports/callback";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { withTimeout } from "@/lib/adapters/with-timeout";
import { requireTransport } from "@/lib/lines/connections/require-transport";
import { LineTransportParams } from "@/lib/lines/transports/get-line-transport";
import {
  openActive,
  openStandby,
  readActive,
  readStandbys,
  requireTransportNamed,
} from "@/lib/lines/transports/line-transport-rows";
import { EnteredConnection } from "@/lib/lines/transports/set-line-transport";
import { toConnection } from "@/lib/lines/transports/transport-fields";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma, sql } from "@/lib/platform/database/db";

const TIMEOUT_MS = 15_000;

export const TestLineTransport = contract({
  summary: "Test a connection of a phone line",
  tag: "Phone lines",
  right: "connect_lines",
  params: LineTransportParams,
  body: EnteredConnection,
  returns: z.object({
    /** null = the transport can't be tested without using it. */
    works: z.boolean().nullable(),
    /** Why the connection does not work; null when it works. */
    reason: z.string().nullable(),
    /** Features that do not work over a connection that works otherwise. */
    warnings: z.array(z.string()),
  }),
  status: 200,
  errors: ["field_missing", "parameter_invalid", "access_denied", "line_not_found"],
  extension: true,
});

/**
 * Connects to the vendor with the entered settings and stores nothing. Secrets that are left empty have their stored
 * value. Errors: line_not_found, access_denied, parameter_invalid.
 */
export async function testLineTransport(ctx: Context, { params, body }: Input<typeof TestLineTransport>) {
  const { lineId } = params;
  requireTransport(ctx.account, body.transport);
  const transport = requireTransportNamed(body.transport);
  const stored = await findStored(ctx, lineId, body);
  const connection = toConnection(transport, body.settings, stored);
  const { test } = transport;
  if (test === undefined) return { works: null, reason: null, warnings: [] };
  const line = await findLineRef(ctx, lineId);
  try {
    const warnings = await withTimeout(TIMEOUT_MS, (signal) => test(line, connection, signal));
    return { works: true, reason: null, warnings: [...warnings] };
  } catch (error) {
    if (error instanceof AdapterError) return { works: false, reason: error.message, warnings: [] };
    throw error;
  }
}

async function findStored(
  ctx: Context,
  lineId: string,
  { position, transport }: z.infer<typeof EnteredConnection>,
): Promise<Connection | null> {
  const accountId = ctx.account.id;
  const active = await readActive(ctx, lineId);
  if (active.transport_position === position) {
    return active.transport === transport ? openActive(accountId, active) : null;
  }
  const standbys = await readStandbys(sql, accountId, lineId);
  const standby = standbys.find((each) => each.position === position && each.transport === transport);
  return standby === undefined ? null : openStandby(accountId, standby);
}

async function findLineRef(ctx: Context, lineId: string): Promise<LineRef> {
  const where = { accountId_id: { accountId: ctx.account.id, id: lineId } };
  const { accountId, id, phoneNumber, lineType } = await prisma().line.findUniqueOrThrow({ where });
  return { accountId, id, phoneNumber, lineType };
}
