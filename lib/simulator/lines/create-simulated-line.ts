import "server-only";
import { z } from "zod";
import { insertLine } from "@/lib/lines/lines/create-line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";
import { assignFictionalLines } from "@/lib/simulator/lines/assign-fictional-lines";
import { fictionalNumber, MAGIC_AREA } from "@/lib/simulator/lines/fictional-numbers";
import { findSeed } from "@/lib/simulator/lines/find-seed";
import { LINE_KIND_NAMES, type LineKindName, lineKind } from "@/lib/simulator/lines/line-kinds";
import { requireSandbox } from "@/lib/simulator/require-sandbox";
import { takeTurns } from "@/lib/simulator/take-turns";

const MAX_LINES = 100;

const NewSimulatedLine = z
  .object({
    kind: z
      .enum(LINE_KIND_NAMES)
      .default("healthy")
      .describe("Kind of the line. `GET /simulator/handles` lists the kinds. Defaults to `healthy`."),
    phone_number: PhoneNumber.optional().describe(
      "Number of the line, which no line may have. Defaults to an unused fictional number.",
    ),
  })
  .meta({ examples: [{ kind: "critical" }] });

export const CreateSimulatedLine = contract({
  summary: "Create a simulated line",
  description: `Creates a simulated iMessage line of the account, with up to ${MAX_LINES} lines per account. A line of the kind \`flagged_at_tenth_send\` is flagged by its tenth message. The reputation of the kinds \`at_risk\` and \`critical\` does not change.`,
  tag: "Simulator",
  right: "add_simulated_lines",
  sandboxOnly: true,
  body: NewSimulatedLine,
  bodyOptional: true,
  returns: z
    .object({
      phone_number: z.string().describe("Number of the line in E.164 format."),
      kind: z.enum(LINE_KIND_NAMES).describe("Kind of the line."),
    })
    .meta({ examples: [{ phone_number: "+12025550100", kind: "critical" }] }),
  status: 201,
  errors: ["parameter_invalid", "phone_not_e164", "state_conflict", "feature_not_available"],
  extension: true,
});

/** Creates a simulated line of the account. Errors: as `CreateSimulatedLine`. */
export async function createSimulatedLine(ctx: Context, { body }: Input<typeof CreateSimulatedLine>) {
  requireSandbox(ctx);
  const { kind, phone_number } = body ?? NewSimulatedLine.parse({});
  return takeTurns(ctx.account.id, async (tx) => {
    await requireRoom(tx, ctx.account.id);
    const number = phone_number ?? (await assignNext(tx, ctx));
    if (phone_number !== undefined) await insertChosen(tx, ctx, phone_number);
    await storeKind(tx, ctx.account.id, number, kind);
    return { phone_number: number, kind };
  });
}

const LOCK_SIMULATED_LINE_NUMBERS = plannedStatement(
  "lock-simulated-line-numbers",
  "select pg_advisory_xact_lock(hashtext('fictional line numbers'))",
);

const COUNT_ACCOUNT_LINES = plannedStatement(
  "count-account-lines",
  "select count(*)::int as count from lines where account_id = :accountId and released_at is null",
);

async function requireRoom(tx: Sql, accountId: string): Promise<void> {
  await tx.run(LOCK_SIMULATED_LINE_NUMBERS);
  const [row] = await tx.run(COUNT_ACCOUNT_LINES, { accountId });
  if ((row?.count ?? 0) >= MAX_LINES) fail("state_conflict", `the account has ${MAX_LINES} lines`);
}

async function assignNext(tx: Sql, ctx: Context): Promise<string> {
  const seed = await findSeed(tx, ctx.account.id);
  const [number] = await assignFictionalLines(tx, ctx.account, { count: 1, seed, by: ctx });
  return number ?? fail("state_conflict", "all fictional numbers are lines");
}

const FIND_NUMBER_IN_USE = plannedStatement(
  "find-number-in-use",
  `select from lines where phone_number = :phoneNumber and released_at is null
  union all select from simulator_phones where account_id = :accountId and handle = :phoneNumber`,
);

async function insertChosen(tx: Sql, ctx: Context, phoneNumber: string): Promise<void> {
  const taken = await tx.run(FIND_NUMBER_IN_USE, { phoneNumber, accountId: ctx.account.id });
  const isMagic = phoneNumber.startsWith(fictionalNumber(MAGIC_AREA, 0).slice(0, -2));
  if (taken.length > 0 || isMagic) fail("state_conflict", `${phoneNumber} is in use: choose another number`);
  await insertLine(tx, ctx.account, { phoneNumber, lineType: "iMessage", transport: "simulator" }, ctx);
}

const STORE_SIMULATED_LINE = plannedStatement(
  "store-simulated-line",
  `with line as (
    update lines set reputation = coalesce(:reputation::text::health_status, reputation), pinned_reputation = :reputation::text::health_status
    where account_id = :accountId and phone_number = :phoneNumber and released_at is null returning account_id, id
  )
  insert into simulator_lines (account_id, line_id, has_rcs_account, sends_until_flag)
  select account_id, id, :hasRcs, :flaggedAtSend from line`,
);

async function storeKind(tx: Sql, accountId: string, phoneNumber: string, name: LineKindName): Promise<void> {
  const { reputation = null, flaggedAtSend = null, hasRcs = true } = lineKind(name);
  await tx.run(STORE_SIMULATED_LINE, { accountId, phoneNumber, reputation, hasRcs, flaggedAtSend });
}
