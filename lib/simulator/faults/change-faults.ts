import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { seededId } from "@/lib/platform/crypto/seeded-id";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { loadFaults } from "@/lib/platform/sandbox/find-fault";
import { Fault, NewFault } from "@/lib/simulator/faults/fault";
import { findSeed } from "@/lib/simulator/lines/find-seed";
import { requireSandbox } from "@/lib/simulator/require-sandbox";
import { takeTurns } from "@/lib/simulator/take-turns";

const MAX_FAULTS = 100;

const Faults = z.object({
  faults: z
    .array(Fault)
    .meta({ description: "Faults of the account, in the order in which they are tried." }),
});

const shared = { tag: "Simulator", sandboxOnly: true, extension: true } as const;

export const ListFaults = contract({
  ...shared,
  right: "view_account",
  summary: "List injected faults",
  description: "Returns the faults of the account with the numbers of their matches.",
  returns: Faults,
  status: 200,
  errors: ["feature_not_available"],
});

export const ReplaceFaults = contract({
  ...shared,
  right: "manage_lines",
  summary: "Replace all injected faults",
  description:
    "Replaces the faults of the account. For each API call, message or webhook delivery, the first fault that matches and whose conditions hold acts. Faults with `route` or `code` act on API calls to `/v3`, faults with `line` or `handle` on messages in the simulated network (with `direction` `inbound`, on messages from phones), faults with `event` or `endpoint` on webhook deliveries. Counts start at 0.",
  body: z.object({
    faults: z.array(NewFault).max(MAX_FAULTS).describe(`The new faults, up to ${MAX_FAULTS}.`),
  }),
  returns: Faults,
  status: 200,
  errors: ["field_missing", "phone_not_e164", "parameter_invalid", "feature_not_available"],
});

export const AddFault = contract({
  ...shared,
  right: "manage_lines",
  summary: "Add an injected fault",
  description: "Adds a fault after the existing faults of the account.",
  body: NewFault,
  returns: Fault,
  status: 201,
  errors: ["field_missing", "phone_not_e164", "parameter_invalid", "state_conflict", "feature_not_available"],
});

export const RemoveFaults = contract({
  ...shared,
  right: "manage_lines",
  summary: "Remove all injected faults",
  description: "Removes every fault of the account.",
  status: 204,
  errors: ["feature_not_available"],
});

export const RemoveFault = contract({
  ...shared,
  right: "manage_lines",
  summary: "Remove an injected fault",
  description: "Removes a fault of the account. Requests that it holds back are not affected.",
  params: z.object({ fault: z.uuid().describe("ID of the fault.") }),
  status: 204,
  errors: ["parameter_invalid", "name_unknown", "feature_not_available"],
});

/** The conditions of a fault as they are stored. */
export type StoredMatch = Fault["match"];

type FaultRow = RowOf<"list-faults">;

const COLUMNS = `id, match as "match: StoredMatch", effect, condition, matched, applied`;

const LIST_FAULTS = plannedStatement(
  "list-faults",
  `select ${COLUMNS} from simulator_faults where account_id = :accountId order by position, id`,
);

/** Lists the account's faults, in order. Errors: feature_not_available. */
export async function listFaults(ctx: Context) {
  requireSandbox(ctx);
  const rows = await sql.run(LIST_FAULTS, { accountId: ctx.account.id });
  return { faults: rows.map(toFault) };
}

/** Replaces the account's faults. They act in this process at once, in others within milliseconds. */
export async function replaceFaults(ctx: Context, { body }: Input<typeof ReplaceFaults>) {
  requireSandbox(ctx);
  await changeFaults(ctx, async (tx) => {
    await deleteFaults(tx, ctx.account.id);
    for (const fault of body.faults) await insertFault(tx, ctx, fault);
  });
  return listFaults(ctx);
}

/** Adds a fault at the end. Errors: state_conflict (the account has the maximum). */
export async function addFault(ctx: Context, { body }: Input<typeof AddFault>): Promise<Fault> {
  requireSandbox(ctx);
  return changeFaults(ctx, (tx) => insertFault(tx, ctx, body));
}

/** Removes the account's faults. Errors: feature_not_available. */
export async function removeFaults(ctx: Context): Promise<undefined> {
  requireSandbox(ctx);
  await changeFaults(ctx, (tx) => deleteFaults(tx, ctx.account.id));
}

const REMOVE_FAULT = plannedStatement(
  "remove-fault",
  "delete from simulator_faults where account_id = :accountId and id = :fault returning id",
);

/** Removes one fault. Errors: name_unknown. */
export async function removeFault(ctx: Context, { params }: Input<typeof RemoveFault>): Promise<undefined> {
  requireSandbox(ctx);
  await changeFaults(ctx, async (tx) => {
    const removed = await tx.run(REMOVE_FAULT, { accountId: ctx.account.id, fault: params.fault });
    if (removed.length === 0) fail("name_unknown", "the account has no fault with this ID");
  });
}

const DELETE_FAULTS = plannedStatement(
  "delete-faults",
  "delete from simulator_faults where account_id = :accountId",
);

async function deleteFaults(tx: Sql, accountId: string): Promise<void> {
  await tx.run(DELETE_FAULTS, { accountId });
}

/** Applies a committed change of faults in this process, and lets the other processes know. */
export async function announceFaults(): Promise<void> {
  await loadFaults();
  sql.wake("faults");
}

const LOCK_FAULTS = plannedStatement("lock-faults", "select pg_advisory_xact_lock(hashtext(:lock))");

async function changeFaults<Result>(ctx: Context, change: (tx: Sql) => Promise<Result>): Promise<Result> {
  const result = await takeTurns(ctx.account.id, async (tx) => {
    // Concurrent changes must not choose the same position.
    await tx.run(LOCK_FAULTS, { lock: `faults ${ctx.account.id}` });
    return change(tx);
  });
  await announceFaults();
  return result;
}

const COUNT_FAULTS = plannedStatement(
  "count-faults",
  `select coalesce(max(position), 0) as position, count(*)::int as count
  from simulator_faults where account_id = :accountId`,
);

const INSERT_FAULT = plannedStatement(
  "insert-fault",
  `insert into simulator_faults (account_id, id, position, match, effect, condition, created_at)
  values (:accountId, :id, :position, :match, :effect, :when, :now) returning ${COLUMNS}`,
);

async function insertFault(tx: Sql, ctx: Context, { match, effect, when = {} }: NewFault): Promise<Fault> {
  const accountId = ctx.account.id;
  const [last] = await tx.run(COUNT_FAULTS, { accountId });
  const { position = 0, count = 0 } = last ?? {};
  if (count >= MAX_FAULTS) fail("state_conflict", `the account has ${MAX_FAULTS} faults: remove some first`);
  const seed = await findSeed(tx, accountId);
  const id = seed === null ? newId(ctx.now.getTime()) : seededId(seed, `fault ${position + 1}`);
  const [row] = await tx.run(INSERT_FAULT, {
    accountId,
    id,
    position: position + 1,
    match: JSON.stringify(match),
    effect: JSON.stringify(effect),
    when: JSON.stringify(when),
    now: ctx.now,
  });
  if (row === undefined) throw new Error("the fault was not stored");
  return toFault(row);
}

function toFault({ id, match, effect, condition, matched, applied }: FaultRow): Fault {
  const when = Object.keys(condition).length === 0 ? {} : { when: condition };
  return { id, match, effect, ...when, matched: Number(matched), applied: Number(applied) };
}
