import "server-only";
import { z } from "zod";
import type { Connection } from "@/lib/adapters/transports/callback";
import { allTransports } from "@/lib/adapters/transports/registry";
import {
  openActive,
  openStandby,
  readActive,
  readStandbys,
  requireTransportNamed,
} from "@/lib/lines/transports/line-transport-rows";
import {
  fieldsOf,
  shownSettings,
  storedSecrets,
  TransportField,
} from "@/lib/lines/transports/transport-fields";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { baseUrl } from "@/lib/platform/env";

export const LineTransportParams = z.object({ lineId: z.uuid() });

const LineConnection = z.object({
  /** The place in the failover order, from 0. */
  position: z.int(),
  transport: z.string(),
  is_active: z.boolean(),
  /** Without secrets. */
  settings: z.record(z.string(), z.string()),
  /** The names of the secrets that are stored. */
  secrets: z.array(z.string()),
});

const LineTransport = z.object({
  is_up: z.boolean(),
  /** Why the line is down; null while it is up, and where the transport gives no reason. */
  down_reason: z.string().nullable(),
  down_since: z.iso.datetime().nullable(),
  /** The next connection is used when the line has been down for this long; null = never. */
  failover_seconds: z.int().nullable(),
  /** Vendors with callbacks call this URL. */
  callback_url: z.url(),
  /** In the failover order. */
  connections: z.array(LineConnection),
  /** The transports that this account can use. */
  transports: z.array(
    z.object({ name: z.string(), has_callbacks: z.boolean(), fields: z.array(TransportField) }),
  ),
});

export type LineTransport = z.infer<typeof LineTransport>;
export type LineConnection = z.infer<typeof LineConnection>;

export const GetLineTransport = contract({
  summary: "Get a phone line's transport and its connections",
  tag: "Phone lines",
  right: "connect_lines",
  params: LineTransportParams,
  returns: LineTransport,
  status: 200,
  errors: ["access_denied", "line_not_found"],
  extension: true,
});

/** The connections of a line without their secrets. Errors: line_not_found, access_denied. */
export async function getLineTransport(
  ctx: Context,
  { params: { lineId } }: Pick<Input<typeof GetLineTransport>, "params">,
): Promise<LineTransport> {
  const accountId = ctx.account.id;
  const active = await readActive(ctx, lineId);
  const standbys = await readStandbys(sql, accountId, lineId);
  const connections = [
    toLineConnection(active.transport_position, active.transport, openActive(accountId, active), true),
    ...standbys.map((row) =>
      toLineConnection(row.position, row.transport, openStandby(accountId, row), false),
    ),
  ];
  return {
    is_up: active.is_up,
    down_reason: active.down_reason,
    down_since: active.down_since?.toISOString() ?? null,
    failover_seconds: active.failover_seconds,
    callback_url: `${baseUrl()}/inbound/lines/${lineId}`,
    connections: connections.sort((left, right) => left.position - right.position),
    transports: allTransports()
      .filter(({ sandboxOnly }) => ctx.account.type === "sandbox" || sandboxOnly !== true)
      .map((transport) => ({
        name: transport.name,
        has_callbacks: transport.parseCallback !== undefined,
        fields: fieldsOf(transport),
      })),
  };
}

function toLineConnection(
  position: number,
  name: string,
  connection: Connection,
  isActive: boolean,
): LineConnection {
  const transport = requireTransportNamed(name);
  return {
    position,
    transport: name,
    is_active: isActive,
    settings: shownSettings(transport, connection),
    secrets: storedSecrets(transport, connection),
  };
}
