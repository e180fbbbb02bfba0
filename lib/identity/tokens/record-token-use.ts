import "server-only";
import { sql } from "@/lib/platform/database/db";

/** The last use of each token and the client's IP address, until written. */
export type TokenUses = Map<string, { accountId: string; at: Date; address: string | null }>;

/** Writes the last use of tokens in one statement. A later stored time is kept. */
export async function recordTokenUse(uses: TokenUses): Promise<void> {
  if (uses.size === 0) return;
  await sql.query({
    name: "record-token-use",
    text: `update api_tokens t set last_used_at = used.at, last_used_from = used.address
           from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[])
             as used(account_id, id, at, address)
           where t.account_id = used.account_id and t.id = used.id
             and (t.last_used_at is null or t.last_used_at < used.at)`,
    values: [
      [...uses.values()].map((use) => use.accountId),
      [...uses.keys()],
      [...uses.values()].map((use) => use.at),
      [...uses.values()].map((use) => use.address),
    ],
  });
}
