import "server-only";
import { TOKEN_COLUMNS, type TokenRow } from "@/lib/identity/tokens/api-token";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const LOCK_TOKEN = plannedStatement(
  "lock-token",
  `select ${TOKEN_COLUMNS} from api_tokens t left join users u on u.id = t.created_by
  where t.account_id = :accountId and t.id = :tokenId and t.session_id is null for no key update of t`,
);

/**
 * Locks a valid token, but none of the API explorer, which can't be changed, of the account until the transaction ends. Errors: name_unknown, access_denied (another account's
 * token), state_conflict when the token is revoked or expired.
 */
export async function lockToken(tx: Sql, ctx: Context, tokenId: string): Promise<TokenRow> {
  const [row] = await tx.run(LOCK_TOKEN, { accountId: ctx.account.id, tokenId });
  if (row === undefined) {
    await requireOwnToken(ctx, tokenId);
    return fail("name_unknown", "the account has no API token with this ID");
  }
  if (row.revoked_at !== null) fail("state_conflict", "the token is revoked");
  if (row.expires_at !== null && row.expires_at <= ctx.now) fail("state_conflict", "the token has expired");
  return row;
}

const FIND_ACCOUNT_OF_TOKEN = plannedStatement(
  "find-account-of-token",
  "select account_id from api_tokens where id = :tokenId and session_id is null",
);

/** Checks that the token belongs to the account. Errors: name_unknown, access_denied for another account's token. */
export async function requireOwnToken(ctx: Context, tokenId: string): Promise<void> {
  const [row] = await sql.run(FIND_ACCOUNT_OF_TOKEN, { tokenId });
  if (row === undefined) fail("name_unknown", "the account has no API token with this ID");
  if (row.account_id !== ctx.account.id) fail("access_denied");
}
