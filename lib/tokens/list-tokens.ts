import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/db";
import { ApiToken } from "@/lib/tokens/api-token";

export const ListTokens = contract({
  summary: "List API tokens",
  tag: "Tokens",
  returns: z.object({ tokens: z.array(ApiToken) }),
  status: 200,
  errors: [],
});

interface TokenRow {
  id: string;
  name: string;
  prefix: string;
  last_four: string;
  created_at: Date;
  created_by: string | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** The account's tokens: those that work first, each part newest first. `created_by` is the user's name. */
export async function listTokens(ctx: Context): Promise<z.infer<typeof ListTokens.returns>> {
  const rows = await sql.query<TokenRow>({
    name: "list-tokens",
    text: `select t.id, t.name, t.prefix, t.last_four, t.created_at, u.name as created_by, t.last_used_at, t.revoked_at
           from api_tokens t left join users u on u.id = t.created_by
           where t.account_id = $1 order by t.revoked_at is not null, t.id desc`,
    values: [ctx.account.id],
  });
  return {
    tokens: rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at?.toISOString() ?? null,
      revoked_at: row.revoked_at?.toISOString() ?? null,
    })),
  };
}
