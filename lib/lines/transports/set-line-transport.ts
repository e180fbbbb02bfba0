import "server-only";
import { z } from "zod";
import type { Connection } from "@/lib/adapters/transports/callback";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { requireTransport } from "@/lib/lines/connections/require-transport";
import { throwNotFoundOrDenied } from "@/lib/lines/lines/find-line";
import {
  GetLineTransport,
  getLineTransport,
  LineTransportParams,
} from "@/lib/lines/transports/get-line-transport";
import {
  type ActiveRow,
  lockActive,
  openActive,
  openStandby,
  readStandbys,
  requireTransportNamed,
  type StandbyRow,
  sealStandby,
} from "@/lib/lines/transports/line-transport-rows";
import { activateConnection, keepVendor } from "@/lib/lines/transports/switch-transport";
import {
  fieldsOf,
  shownSettings,
  toConnection,
  vendorSettings,
} from "@/lib/lines/transports/transport-fields";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_POSITION = 3;
const MAX_VALUE = 20_000;

/** The settings of a connection as they are entered. Secrets that are left empty keep their value. */
export const EnteredConnection = z.object({
  position: z.int().min(0).max(MAX_POSITION),
  transport: z.string().check(maxUnits(50)),
  settings: z.record(z.string().check(maxUnits(50)), z.string().check(maxUnits(MAX_VALUE))),
});

export const SetLineTransport = contract({
  summary: "Connect a phone line to a vendor",
  tag: "Phone lines",
  right: "connect_lines",
  proof: true,
  params: LineTransportParams,
  body: EnteredConnection,
  returns: GetLineTransport.returns,
  status: 200,
  errors: ["field_missing", "parameter_invalid", "access_denied", "line_not_found"],
  extension: true,
});

/**
 * Stores the connection at a place of the line's failover order: changes the one that is there, or adds one. A line
 * that moves to another vendor keeps its chats; groups are created again with the next message. Errors:
 * line_not_found, access_denied, parameter_invalid.
 */
export async function setLineTransport(ctx: Context, { params, body }: Input<typeof SetLineTransport>) {
  const { lineId } = params;
  requireTransport(ctx.account, body.transport);
  const isKnown = await transaction(async (tx) => {
    const active = await lockActive(tx, ctx.account.id, lineId);
    if (active === null) return false;
    const standbys = await readStandbys(tx, ctx.account.id, lineId);
    const standby = standbys.find(({ position }) => position === body.position);
    if (body.position === active.transport_position) await setActive(tx, ctx, active, body);
    else if (standby === undefined) await addStandby(tx, ctx, active, body);
    else await setStandby(tx, ctx, { active, standby }, body);
    return true;
  });
  if (!isKnown) return throwNotFoundOrDenied(ctx, lineId);
  return getLineTransport(ctx, { params });
}

type Entered = z.infer<typeof EnteredConnection>;

const FORGET_GROUP_REFS = statement(
  "forget-group-refs",
  `update chats set transport_ref = null
  where account_id = :accountId and line_id = :lineId and transport_ref is not null`,
);

async function setActive(tx: Sql, ctx: Context, active: ActiveRow, entered: Entered): Promise<void> {
  const { id: lineId } = active;
  const accountId = ctx.account.id;
  const before = openActive(accountId, active);
  const connection = connectionOf(entered, active.transport, before);
  const isSame = isSameVendor(entered, active.transport, before, connection);
  await activateConnection(
    tx,
    { accountId, lineId },
    {
      position: active.transport_position,
      transport: entered.transport,
      connection,
      connectionNumber: active.connections_made + 1,
      pollCursor: isSame || checksCursor(entered, active.transport) ? active.poll_cursor : null,
    },
  );
  const numbers = { from: active.connection_number, to: active.connections_made + 1 };
  if (isSame) await keepVendor(tx, { accountId, lineId }, numbers);
  else {
    // The vendor's ids of groups mean nothing to another vendor.
    await tx.run(FORGET_GROUP_REFS, { accountId, lineId });
  }
  await audit(tx, ctx, lineId, entered, { transport: active.transport, connection: before }, connection);
}

const SET_LINE_STANDBY = statement(
  "set-line-standby",
  `update line_standbys set transport = :transport, connection = :standby, connection_number = :number, poll_cursor = :pollCursor
  where account_id = :accountId and id = :standbyId`,
);

async function setStandby(
  tx: Sql,
  ctx: Context,
  { active, standby }: { active: ActiveRow; standby: StandbyRow },
  entered: Entered,
): Promise<void> {
  const accountId = ctx.account.id;
  const before = openStandby(accountId, standby);
  const connection = connectionOf(entered, standby.transport, before);
  const isSame = isSameVendor(entered, standby.transport, before, connection);
  const number = await nextNumber(tx, accountId, active.id);
  await tx.run(SET_LINE_STANDBY, {
    accountId,
    standbyId: standby.id,
    transport: entered.transport,
    standby: sealStandby(accountId, standby.id, connection),
    number,
    pollCursor: isSame || checksCursor(entered, standby.transport) ? standby.poll_cursor : null,
  });
  if (isSame) {
    const line = { accountId, lineId: active.id };
    await keepVendor(tx, line, { from: standby.connection_number, to: number });
  }
  await audit(tx, ctx, active.id, entered, { transport: standby.transport, connection: before }, connection);
}

const ADD_LINE_STANDBY = statement(
  "add-line-standby",
  `insert into line_standbys (account_id, id, line_id, position, transport, connection, connection_number)
  values (:accountId, :id, :activeId, :position, :transport, :standby, :nextNumber)`,
);

async function addStandby(tx: Sql, ctx: Context, active: ActiveRow, entered: Entered): Promise<void> {
  const accountId = ctx.account.id;
  const connection = connectionOf(entered, null, null);
  const id = newId(ctx.now.getTime(), accountId, "line standby", active.id);
  await tx.run(ADD_LINE_STANDBY, {
    accountId,
    id,
    activeId: active.id,
    position: entered.position,
    transport: entered.transport,
    standby: sealStandby(accountId, id, connection),
    nextNumber: await nextNumber(tx, accountId, active.id),
  });
  await audit(tx, ctx, active.id, entered, null, connection);
}

const NUMBER_LINE_CONNECTION = statement(
  "number-line-connection",
  `update lines set connections_made = connections_made + 1 where account_id = :accountId and id = :lineId
  returning connections_made`,
);

async function nextNumber(tx: Sql, accountId: string, lineId: string): Promise<number> {
  const [row] = await tx.run(NUMBER_LINE_CONNECTION, { accountId, lineId });
  if (row === undefined) throw new Error("the locked line is gone");
  return row.connections_made;
}

function connectionOf({ transport, settings }: Entered, earlier: string | null, stored: Connection | null) {
  const kind = requireTransportNamed(transport);
  return toConnection(kind, settings, earlier === transport ? stored : null);
}

/** Whether two connections lead to the same account of the same vendor: only secrets and local settings differ. */
function isSameVendor(
  { transport }: Entered,
  earlier: string,
  before: Connection,
  after: Connection,
): boolean {
  if (transport !== earlier) return false;
  const kind = requireTransportNamed(transport);
  const [left, right] = [vendorSettings(kind, before), vendorSettings(kind, after)];
  return JSON.stringify(Object.entries(left).sort()) === JSON.stringify(Object.entries(right).sort());
}

/** Whether the polls of both connections are of one transport, which finds out by itself whether its cursor goes on. */
function checksCursor({ transport }: Entered, earlier: string): boolean {
  return transport === earlier && requireTransportNamed(transport).poll?.checksCursor === true;
}

interface Former {
  transport: string;
  connection: Connection;
}

/** Records the change with the settings before and after, and of secrets only their names. */
async function audit(
  tx: Sql,
  ctx: Context,
  lineId: string,
  { position, transport }: Entered,
  before: Former | null,
  connection: Connection,
): Promise<void> {
  const kind = requireTransportNamed(transport);
  const changed = fieldsOf(kind).flatMap(({ name, is_secret }) =>
    is_secret && before?.connection[name] !== connection[name] ? name : [],
  );
  const shown = (from: Former) => ({
    transport: from.transport,
    settings: shownSettings(requireTransportNamed(from.transport), from.connection),
  });
  await recordAudit(tx, ctx, "line.transport_changed", "line", lineId, {
    position,
    before: before === null ? null : shown(before),
    after: shown({ transport, connection }),
    secrets_changed: changed,
  });
}
