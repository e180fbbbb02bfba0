import "server-only";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** The last use of each token and the client's IP address, until written. */
export type TokenUses = Map<string, { accountId: string; at: Date; address: string | null }>;

const RECORD_TOKEN_USE = statement(
  "record-token-use",
  `update api_tokens t set last_used_at = used.at, last_used_from = used.address
  from unnest(:accountIds::uuid[], :tokenIds::uuid[], :times::timestamptz[], :addresses::text[])
    as used(account_id, id, at, address)
  where t.account_id = used.account_id and t.id = used.id
    and (t.last_used_at is null or t.last_used_at < used.at)`,
);

/** Writes the last use of tokens in one statement. A later stored time is kept. */
export async function recordTokenUse(uses: TokenUses): Promise<void> {
  if (uses.size === 0) return;
  await sql.run(RECORD_TOKEN_USE, {
    accountIds: [...uses.values()].map((use) => use.accountId),
    tokenIds: [...uses.keys()],
    times: [...uses.values()].map((use) => use.at),
    addresses: [...uses.values()].map((use) => use.address),
  });
}
