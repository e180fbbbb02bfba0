import "server-only";
import { z } from "zod";
import { insertAccount } from "@/lib/identity/accounts/create-account";
import { insertPartner } from "@/lib/identity/accounts/create-partner";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { storeToken } from "@/lib/identity/tokens/store-token";
import type { AccountRef, Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { seededId } from "@/lib/platform/crypto/seeded-id";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { ApiError } from "@/lib/platform/errors/errors";
import { determineIds } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/text/max-units";
import { assignFictionalLines } from "@/lib/simulator/lines/assign-fictional-lines";
import { phoneRange } from "@/lib/simulator/lines/fictional-numbers";
import { requireSandbox } from "@/lib/simulator/require-sandbox";
import { takeTurns } from "@/lib/simulator/take-turns";

const MAX_LINES = 20;
const KEPT_HOURS = 24;
/** Disposable accounts that an instance has at a time. */
const MAX_ACCOUNTS = 500;
const RETRY_SECONDS = 3600;
const TOKEN_NAME = "Created by the simulator";

const Seed = z
  .string()
  .min(1)
  .check(maxUnits(200))
  .describe("Text that determines the choices of the simulator. Never affects tokens, secrets or keys.");

const NewAccount = z
  .object({
    name: z
      .string()
      .min(1)
      .check(maxUnits(100))
      .default("Test account")
      .describe("Name of the account. Defaults to `Test account`."),
    lines: z
      .int()
      .min(0)
      .max(MAX_LINES)
      .default(1)
      .describe(`Number of iMessage lines, up to ${MAX_LINES}. Defaults to 1.`),
    seed: Seed.optional().describe(
      "Determines the account ID, the line numbers, the range of phone numbers, and the IDs of chats, messages, events and payments: the same seed and the same calls at the same times of the platform clock give the same values on a fresh instance with one process. Never affects tokens, secrets and keys.",
    ),
  })
  .meta({ examples: [{ name: "Checkout tests", lines: 2 }] });

const CreatedAccount = z
  .object({
    account_id: z.uuid().describe("ID of the new account."),
    token: z
      .string()
      .describe("API token of the new account, without restrictions. Returned only in this response."),
    lines: z.array(z.string()).describe("Numbers of the account's lines, in E.164 format."),
    phones: z
      .object({
        from: z.string().describe("First number of the range."),
        to: z.string().describe("Last number of the range."),
      })
      .describe("A range of 100 fictional numbers for simulated phones. No line has a number of the range."),
    deleted_at: z.iso
      .datetime()
      .describe("When the account will be deleted, by the wall clock: the platform clock has no effect."),
  })
  .meta({
    examples: [
      {
        account_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182",
        token: "tl_sandbox_…",
        lines: ["+12025550100", "+12045550119"],
        phones: { from: "+12035550100", to: "+12035550199" },
        deleted_at: "2026-03-02T12:00:00.000Z",
      },
    ],
  });

export const CreateDisposableAccount = contract({
  summary: "Create a disposable sandbox account",
  description: `Creates an empty sandbox account with its own token, lines and phone numbers, for one test or one test suite. The account belongs to a new partner and has no daily message limit. Trunkline deletes the account with all its data after ${KEPT_HOURS} hours. An instance has at most ${MAX_ACCOUNTS} of them at a time: further requests fail with 1007.`,
  tag: "Simulator",
  sandboxOnly: true,
  // The new token has full access, so a restricted token must not create it.
  scopes: [],
  body: NewAccount,
  bodyOptional: true,
  returns: CreatedAccount,
  status: 201,
  errors: ["parameter_invalid", "state_conflict", "access_denied", "rate_limited", "feature_not_available"],
  extension: true,
});

/**
 * Creates a sandbox account with its partner, token and lines in one transaction. Errors: as `CreateDisposableAccount`.
 */
export async function createDisposableAccount(
  ctx: Context,
  { body }: { body: z.infer<typeof NewAccount> | undefined },
): Promise<z.infer<typeof CreatedAccount>> {
  requireSandbox(ctx);
  const { name, lines: count, seed = null } = body ?? NewAccount.parse({});
  return takeTurns(ctx.account.id, async (tx) => {
    await requireRoom(tx);
    const accountId = seed === null ? undefined : await chooseId(tx, "accounts", seed);
    const partnerId = accountId === undefined ? undefined : await chooseId(tx, "partners", accountId);
    if (accountId !== undefined) determineIds(accountId);
    const partner = await insertPartner(tx, name, partnerId);
    const account = await insertAccount(tx, partner.id, name, "sandbox", { id: accountId });
    const deletedAt = await makeDisposable(tx, account, seed);
    const lines = await assignFictionalLines(tx, account, { count, seed });
    const owner: Context = { ...ctx, account, actor: { type: "system" } };
    const { token } = await storeToken(tx, owner, TOKEN_NAME, {
      expiresAt: null,
      scopes: [],
      allowedAddresses: [],
    });
    await recordAudit(tx, ctx, "disposable_account.created", "account", account.id, { name, lines });
    return {
      account_id: account.id,
      token,
      lines,
      phones: phoneRange(seed),
      deleted_at: deletedAt.toISOString(),
    };
  });
}

const LOCK_DISPOSABLE_ACCOUNTS = plannedStatement(
  "lock-disposable-accounts",
  "select pg_advisory_xact_lock(hashtext('disposable accounts'))",
);

const COUNT_DISPOSABLE_ACCOUNTS = plannedStatement(
  "count-disposable-accounts",
  "select count(*)::int as count from accounts where disposable_until > statement_timestamp()",
);

/** Waits for concurrent creations, so that the limit is exact. Errors: rate_limited. */
async function requireRoom(tx: Sql): Promise<void> {
  await tx.run(LOCK_DISPOSABLE_ACCOUNTS);
  const [row] = await tx.run(COUNT_DISPOSABLE_ACCOUNTS);
  if ((row?.count ?? 0) < MAX_ACCOUNTS) return;
  throw new ApiError(
    "rate_limited",
    `this instance has ${MAX_ACCOUNTS} disposable accounts: it deletes each after ${KEPT_HOURS} hours`,
    RETRY_SECONDS,
  );
}

const BY_ID = {
  accounts: plannedStatement("account-by-id", "select from accounts where id = :id"),
  partners: plannedStatement("partner-by-id", "select from partners where id = :id"),
};

const LOCK_ACCOUNT_SEED = plannedStatement(
  "lock-account-seed",
  "select pg_advisory_xact_lock(hashtext(:lock))",
);

/** The first id of the seed that no row of the table has. */
async function chooseId(tx: Sql, table: keyof typeof BY_ID, seed: string): Promise<string> {
  await tx.run(LOCK_ACCOUNT_SEED, { lock: `account seed ${seed}` });
  for (let attempt = 1; ; attempt++) {
    const id = seededId(seed, `${table === "accounts" ? "account" : "partner"} ${attempt}`);
    const taken = await tx.run(BY_ID[table], { id });
    if (taken.length === 0) return id;
  }
}

const INSERT_SIMULATOR_ACCOUNT = plannedStatement(
  "insert-simulator-account",
  "insert into simulator_accounts (account_id, seed) values (:id, :seed)",
);

const MAKE_ACCOUNT_DISPOSABLE = plannedStatement(
  "make-account-disposable",
  `update accounts set daily_messages = null,
    disposable_until = statement_timestamp() + ${KEPT_HOURS} * interval '1 hour'
  where id = :id returning disposable_until as "disposable_until!"`,
);

async function makeDisposable(tx: Sql, { id }: AccountRef, seed: string | null): Promise<Date> {
  await tx.run(INSERT_SIMULATOR_ACCOUNT, { id, seed });
  const [row] = await tx.run(MAKE_ACCOUNT_DISPOSABLE, { id });
  if (row === undefined) throw new Error(`the account ${id} was not created`);
  return row.disposable_until;
}
