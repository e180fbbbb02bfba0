import "server-only";
import { z } from "zod";
import { ApiToken, TOKEN_COLUMNS, toApiToken } from "@/lib/identity/tokens/api-token";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { exportOf } from "@/lib/platform/lists/export-of";

export const ListTokens = contract({
  summary: "List API tokens",
  tag: "Tokens",
  right: "view_tokens",
  returns: z.object({ tokens: z.array(ApiToken) }),
  status: 200,
  errors: [],
});

const LIST_TOKENS = statement(
  "list-tokens",
  `select ${TOKEN_COLUMNS} from api_tokens t left join users u on u.id = t.created_by
  where t.account_id = :accountId and t.session_id is null
  order by t.revoked_at is not null or coalesce(t.expires_at <= :now, false), t.id desc`,
);

/** The account's tokens, without those of the API explorer: valid tokens first, then the others, each newest first. `created_by` is the user's name. */
export async function listTokens(ctx: Context): Promise<z.infer<typeof ListTokens.returns>> {
  const rows = await sql.run(LIST_TOKENS, { accountId: ctx.account.id, now: ctx.now });
  return { tokens: rows.map((row) => toApiToken(row, ctx.now)) };
}

/** The API tokens of an account as CSV, without their secrets. */
export const exportTokens = exportOf(ListTokens, listTokens, {
  summary: "Export API tokens as CSV",
  filename: "api-tokens.csv",
  itemsOf: (page) => page.tokens,
  columns: {
    token_id: ({ id }) => id,
    name: ({ name }) => name,
    prefix: ({ prefix }) => prefix,
    last_four: ({ last_four }) => last_four,
    scopes: ({ scopes }) => scopes.join(" "),
    allowed_addresses: ({ allowed_addresses }) => allowed_addresses.join(" "),
    created_at: ({ created_at }) => created_at,
    created_by: ({ created_by }) => created_by,
    last_used_at: ({ last_used_at }) => last_used_at,
    last_used_from: ({ last_used_from }) => last_used_from,
    expires_at: ({ expires_at }) => expires_at,
    revoked_at: ({ revoked_at }) => revoked_at,
  },
});
