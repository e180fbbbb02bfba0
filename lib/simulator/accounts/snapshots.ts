import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/text/max-units";
import { changeStoppedAccount, emptyState } from "@/lib/simulator/accounts/account-state";
import {
  MAX_BYTES,
  MAX_ROWS,
  measureState,
  requireFits,
  restoreRows,
  skipPendingDeliveries,
  storeRows,
} from "@/lib/simulator/accounts/store-snapshot";
import { announceFaults } from "@/lib/simulator/faults/change-faults";
import { requireSimulatedLines } from "@/lib/simulator/lines/require-simulated-lines";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const MAX_SNAPSHOTS = 10;
const KEPT_DAYS = 7;

const Snapshot = z
  .object({
    id: z.uuid().describe("ID of the snapshot."),
    name: z.string().describe("Name of the snapshot, unique in the account."),
    rows: z.int().describe("Number of stored rows."),
    bytes: z.int().describe("Size of the stored rows, in bytes."),
    created_at: z.iso.datetime().describe("When the snapshot was created, by the platform clock."),
  })
  .meta({
    id: "SimulatorSnapshot",
    description: "The state of a sandbox account at one moment.",
    examples: [
      {
        id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182",
        name: "after the first message",
        rows: 42,
        bytes: 51_200,
        created_at: "2026-03-01T12:00:00.000Z",
      },
    ],
  });

type Snapshot = z.infer<typeof Snapshot>;

const shared = { tag: "Simulator", sandboxOnly: true, extension: true } as const;
const params = z.object({ snapshot: z.uuid().describe("ID of the snapshot.") });

export const CreateSnapshot = contract({
  ...shared,
  right: "manage_account",
  summary: "Create a snapshot of the account",
  description: `Stores the state of the sandbox account under a name: chats, messages, events, webhook deliveries, phones, faults, opt-outs, payments and the status of lines. Waits until running work has ended. A snapshot does not contain tokens, subscriptions, settings, files, the request log, other accounts or the clock. Up to ${MAX_SNAPSHOTS} snapshots of up to ${MAX_ROWS} rows and ${MAX_BYTES / 1024 / 1024} MB. Trunkline deletes a snapshot after ${KEPT_DAYS} days, and when message retention erases content of the account.`,
  body: z
    .object({ name: z.string().min(1).check(maxUnits(100)).describe("Name, unique in the account.") })
    .meta({ examples: [{ name: "after the first message" }] }),
  returns: Snapshot,
  status: 201,
  errors: ["field_missing", "parameter_invalid", "state_conflict", "feature_not_available"],
});

export const ListSnapshots = contract({
  ...shared,
  right: "view_account",
  summary: "List snapshots",
  description: "Returns the snapshots of the account, newest first.",
  returns: z.object({ snapshots: z.array(Snapshot).meta({ description: "Snapshots, newest first." }) }),
  status: 200,
  errors: ["feature_not_available"],
});

export const RestoreSnapshot = contract({
  ...shared,
  right: "manage_account",
  summary: "Restore a snapshot",
  description:
    "Replaces the state of the account with a snapshot, in one transaction. Waits until running work has ended. The snapshot stays and can be restored again. Times in the snapshot that have passed are due immediately. Webhook deliveries that were pending are skipped. Event and webhook sequence numbers continue to increase and are never reused, and cursors of event streams stay valid.",
  params,
  returns: Snapshot,
  status: 200,
  errors: ["parameter_invalid", "name_unknown", "state_conflict", "feature_not_available"],
});

export const DeleteSnapshot = contract({
  ...shared,
  right: "manage_account",
  summary: "Delete a snapshot",
  description: "Deletes a snapshot. The state of the account does not change.",
  params,
  status: 204,
  errors: ["parameter_invalid", "name_unknown", "feature_not_available"],
});

const COLUMNS = "id, name, row_count as rows, size_bytes::float8 as bytes, created_at";

type SnapshotRow = RowOf<"list-snapshots">;

const CREATE_SNAPSHOT = plannedStatement(
  "create-snapshot",
  `insert into simulator_snapshots (account_id, id, name, row_count, size_bytes, created_at)
  values (:accountId, :id, :name, :rows, :bytes, :now) returning ${COLUMNS}`,
);

/** Creates a snapshot in one transaction. Errors: as `CreateSnapshot`. */
export async function createSnapshot(
  ctx: Context,
  { body }: Pick<Input<typeof CreateSnapshot>, "body">,
): Promise<Snapshot> {
  requireSandbox(ctx);
  const accountId = ctx.account.id;
  return changeStoppedAccount(accountId, async (tx) => {
    await requireRoom(tx, accountId, body.name);
    const size = await measureState(tx, accountId);
    requireFits(size);
    const id = newId(ctx.now.getTime());
    const [row] = await tx.run(CREATE_SNAPSHOT, {
      accountId,
      id,
      name: body.name,
      rows: size.rows,
      bytes: size.bytes,
      now: ctx.now,
    });
    if (row === undefined) throw new Error("the snapshot was not stored");
    await storeRows(tx, accountId, id);
    await recordAudit(tx, ctx, "simulator_snapshot.created", "simulator_snapshot", id, { name: body.name });
    return toSnapshot(row);
  });
}

const LIST_SNAPSHOT_NAMES = plannedStatement(
  "list-snapshot-names",
  "select name from simulator_snapshots where account_id = :accountId",
);

async function requireRoom(tx: Sql, accountId: string, name: string): Promise<void> {
  const rows = await tx.run(LIST_SNAPSHOT_NAMES, { accountId });
  if (rows.some((row) => row.name === name)) {
    fail("state_conflict", `the account has a snapshot "${name}": delete it or choose another name`);
  }
  if (rows.length >= MAX_SNAPSHOTS) {
    fail("state_conflict", `the account has ${MAX_SNAPSHOTS} snapshots: delete one first`);
  }
}

const LIST_SNAPSHOTS = plannedStatement(
  "list-snapshots",
  `select ${COLUMNS} from simulator_snapshots where account_id = :accountId order by created_at desc, id desc`,
);

/** Lists the account's snapshots, newest first. Errors: feature_not_available. */
export async function listSnapshots(ctx: Context): Promise<{ snapshots: Snapshot[] }> {
  requireSandbox(ctx);
  const rows = await sql.run(LIST_SNAPSHOTS, { accountId: ctx.account.id });
  return { snapshots: rows.map(toSnapshot) };
}

/** Replaces the account's state with a snapshot, in one transaction. Errors: as `RestoreSnapshot`. */
export async function restoreSnapshot(
  ctx: Context,
  { params }: Pick<Input<typeof RestoreSnapshot>, "params">,
): Promise<Snapshot> {
  requireSandbox(ctx);
  const accountId = ctx.account.id;
  const restored = await changeStoppedAccount(accountId, async (tx) => {
    await requireSimulatedLines(tx, accountId);
    const snapshot = await findSnapshot(tx, accountId, params.snapshot);
    await emptyState(tx, accountId);
    await restoreRows(tx, accountId, snapshot.id);
    await skipPendingDeliveries(tx, accountId, ctx.now);
    await recordAudit(tx, ctx, "simulator_snapshot.restored", "simulator_snapshot", snapshot.id, {
      name: snapshot.name,
    });
    for (const topic of ["messages", "actions", "simulator", "phones"] as const) tx.wake(topic);
    return snapshot;
  });
  await announceFaults();
  return restored;
}

const FIND_SNAPSHOT = plannedStatement(
  "find-snapshot",
  `select ${COLUMNS} from simulator_snapshots where account_id = :accountId and id = :id for share`,
);

async function findSnapshot(tx: Sql, accountId: string, id: string): Promise<Snapshot> {
  const [row] = await tx.run(FIND_SNAPSHOT, { accountId, id });
  return row === undefined ? failNoSnapshot() : toSnapshot(row);
}

const DELETE_SNAPSHOT = plannedStatement(
  "delete-snapshot",
  "delete from simulator_snapshots where account_id = :accountId and id = :snapshot returning name",
);

/** Deletes a snapshot. Errors: name_unknown. */
export async function deleteSnapshot(
  ctx: Context,
  { params }: Pick<Input<typeof DeleteSnapshot>, "params">,
): Promise<undefined> {
  requireSandbox(ctx);
  await transaction(async (tx) => {
    const [deleted] = await tx.run(DELETE_SNAPSHOT, { accountId: ctx.account.id, snapshot: params.snapshot });
    if (deleted === undefined) failNoSnapshot();
    await recordAudit(tx, ctx, "simulator_snapshot.deleted", "simulator_snapshot", params.snapshot, deleted);
  });
}

function failNoSnapshot(): never {
  return fail("name_unknown", "the account has no snapshot with this ID");
}

function toSnapshot({ created_at, ...row }: SnapshotRow): Snapshot {
  return { ...row, created_at: created_at.toISOString() };
}
