import "server-only";
import { Account, AccountParams, type AccountRow, toAccount } from "@/lib/identity/accounts/account";
import { inAccount, lockAccount } from "@/lib/identity/accounts/lock-account";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

export const ArchiveAccount = contract({
  summary: "Archive an account",
  tag: "Accounts",
  right: "manage_accounts",
  proof: true,
  params: AccountParams,
  returns: Account,
  status: 200,
  errors: ["access_denied", "proof_required", "name_unknown"],
  extension: true,
});

/**
 * Archives an account of the caller's partner. From the commit on, requests with its tokens fail with access_denied, no
 * send is accepted, its lines neither send nor poll nor keep sessions, and its pages are read-only. The worker fails
 * messages that wait and suspends the endpoints (runtime/jobs/settle-archived-accounts.ts). Messages that vendors
 * deliver are still stored, so that an opt-out counts. Archiving again changes nothing. Errors: access_denied,
 * proof_required, name_unknown.
 */
export async function archiveAccount(
  ctx: Context,
  { params }: Pick<Input<typeof ArchiveAccount>, "params">,
): Promise<Account> {
  return setArchived(ctx, params.accountId, ctx.now);
}

export const RestoreAccount = contract({
  summary: "Restore an archived account",
  tag: "Accounts",
  right: "manage_accounts",
  proof: true,
  params: AccountParams,
  returns: Account,
  status: 200,
  errors: ["access_denied", "proof_required", "name_unknown"],
  extension: true,
});

/**
 * Restores an archived account: its tokens, lines and endpoints work as before. Events since the archiving were skipped
 * and can be replayed. Restoring again changes nothing. Errors: access_denied, proof_required, name_unknown.
 */
export async function restoreAccount(
  ctx: Context,
  { params }: Pick<Input<typeof RestoreAccount>, "params">,
): Promise<Account> {
  return setArchived(ctx, params.accountId, null);
}

async function setArchived(ctx: Context, accountId: string, at: Date | null): Promise<Account> {
  return transaction(async (tx) => {
    const before = await lockAccount(tx, ctx, accountId);
    const after = { ...before, archived_at: at };
    if ((before.archived_at === null) === (at === null)) return toAccount(before, ctx.now);
    await store(tx, after);
    const action = at === null ? "account.restored" : "account.archived";
    await recordAudit(tx, inAccount(ctx, before), action, "account", accountId, { name: before.name });
    tx.wake("lines");
    tx.wake("messages");
    tx.wake("actions");
    return toAccount(after, ctx.now);
  });
}

const SET_ACCOUNT_ARCHIVED = plannedStatement(
  "set-account-archived",
  "update accounts set archived_at = :archivedAt where id = :id",
);

const SET_LINES_STOPPED = plannedStatement(
  "set-lines-stopped",
  "update lines set is_stopped = :isStopped where account_id = :id and is_stopped <> :isStopped",
);

const UNSUSPEND_ENDPOINTS = plannedStatement(
  "unsuspend-endpoints",
  "update webhook_subscriptions set is_suspended = false where account_id = :id and is_suspended",
);

async function store(tx: Sql, { id, archived_at }: AccountRow): Promise<void> {
  await tx.run(SET_ACCOUNT_ARCHIVED, { id, archivedAt: archived_at });
  await tx.run(SET_LINES_STOPPED, { id, isStopped: archived_at !== null });
  // Endpoints are suspended by the worker, after the failures of the messages that wait were reported.
  if (archived_at === null) {
    await tx.run(UNSUSPEND_ENDPOINTS, { id });
  }
}
