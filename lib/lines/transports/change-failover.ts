import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { throwNotFoundOrDenied } from "@/lib/lines/lines/find-line";
import {
  GetLineTransport,
  getLineTransport,
  LineTransportParams,
} from "@/lib/lines/transports/get-line-transport";
import {
  type ActiveRow,
  lockActive,
  readStandbys,
  type StandbyRow,
} from "@/lib/lines/transports/line-transport-rows";
import { swapWithStandby } from "@/lib/lines/transports/switch-transport";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const DAY_SECONDS = 24 * 60 * 60;
const ERRORS = ["field_missing", "parameter_invalid", "access_denied", "line_not_found"] as const;

export const ChangeFailover = contract({
  summary: "Change when a phone line uses its next connection",
  tag: "Phone lines",
  right: "connect_lines",
  params: LineTransportParams,
  /** null = the line never changes its connection by itself. */
  body: z.object({ failover_seconds: z.int().min(10).max(DAY_SECONDS).nullable() }),
  returns: GetLineTransport.returns,
  status: 200,
  errors: [...ERRORS],
  extension: true,
});

export const ActivateStandby = contract({
  summary: "Use another connection of a phone line",
  tag: "Phone lines",
  right: "connect_lines",
  proof: true,
  params: LineTransportParams,
  body: z.object({ position: z.int() }),
  returns: GetLineTransport.returns,
  status: 200,
  errors: [...ERRORS],
  extension: true,
});

export const RemoveStandby = contract({
  summary: "Remove a connection of a phone line",
  tag: "Phone lines",
  right: "connect_lines",
  proof: true,
  params: LineTransportParams.extend({ position: z.coerce.number().int() }),
  returns: GetLineTransport.returns,
  status: 200,
  errors: [...ERRORS, "state_conflict"],
  extension: true,
});

const CHANGE_LINE_FAILOVER = statement(
  "change-line-failover",
  "update lines set failover_seconds = :after where account_id = :accountId and id = :activeId",
);

/** Changes after how many seconds of an outage the next connection is used. Errors: line_not_found, access_denied. */
export async function changeFailover(ctx: Context, { params, body }: Input<typeof ChangeFailover>) {
  return change(ctx, params.lineId, async (tx, active) => {
    const { failover_seconds: after } = body;
    await tx.run(CHANGE_LINE_FAILOVER, { accountId: ctx.account.id, activeId: active.id, after });
    const detail = { before: active.failover_seconds, after };
    await recordAudit(tx, ctx, "line.failover_changed", "line", active.id, detail);
  });
}

/** Makes the line use another of its connections. Errors: line_not_found, access_denied, parameter_invalid. */
export async function activateStandby(ctx: Context, { params, body }: Input<typeof ActivateStandby>) {
  return change(ctx, params.lineId, async (tx, active) => {
    if (body.position === active.transport_position) return;
    const standby = await findStandby(tx, ctx, active, body.position);
    await swapWithStandby(tx, ctx.account.id, active, standby);
    await recordAudit(tx, ctx, "line.transport_switched", "line", active.id, {
      before: { position: active.transport_position, transport: active.transport },
      after: { position: standby.position, transport: standby.transport },
    });
  });
}

const REMOVE_LINE_STANDBY = statement(
  "remove-line-standby",
  "delete from line_standbys where account_id = :accountId and id = :id",
);

/** Removes a connection that is not in use. Errors: line_not_found, access_denied, parameter_invalid, state_conflict. */
export async function removeStandby(ctx: Context, { params }: Pick<Input<typeof RemoveStandby>, "params">) {
  return change(ctx, params.lineId, async (tx, active) => {
    if (params.position === active.transport_position) {
      fail("state_conflict", "the line uses this connection: use another one first");
    }
    const { id, transport, position } = await findStandby(tx, ctx, active, params.position);
    await tx.run(REMOVE_LINE_STANDBY, { accountId: ctx.account.id, id });
    await recordAudit(tx, ctx, "line.standby_removed", "line", active.id, { position, transport });
  });
}

async function findStandby(tx: Sql, ctx: Context, active: ActiveRow, position: number): Promise<StandbyRow> {
  const standbys = await readStandbys(tx, ctx.account.id, active.id);
  const found = standbys.find((standby) => standby.position === position);
  return found ?? fail("parameter_invalid", `position: the line has no connection ${position}`);
}

async function change(ctx: Context, lineId: string, work: (tx: Sql, active: ActiveRow) => Promise<void>) {
  const isKnown = await transaction(async (tx) => {
    const active = await lockActive(tx, ctx.account.id, lineId);
    if (active !== null) await work(tx, active);
    return active !== null;
  });
  if (!isKnown) return throwNotFoundOrDenied(ctx, lineId);
  return getLineTransport(ctx, { params: { lineId } });
}
