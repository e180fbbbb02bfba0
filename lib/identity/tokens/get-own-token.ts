import "server-only";
import { z } from "zod";
import { type Context, tokenIdOf } from "@/lib/platform/context";
import { contract, type Output } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { TOKEN_SCOPES } from "@/lib/platform/rights/token-scope";

export const GetOwnToken = contract({
  summary: "Get the token of the request",
  description:
    "Returns the API token that the request was made with, and its account. Every token can call this operation. A Trunkline extension, used by command line tools.",
  tag: "Account",
  right: "view_account",
  scopes: TOKEN_SCOPES,
  returns: z
    .object({
      token: z
        .object({
          id: z.uuid().describe("ID of the token."),
          name: z.string().describe("Name of the token."),
          scopes: z
            .array(z.enum(TOKEN_SCOPES))
            .describe("Scopes that restrict the token. Empty means full access."),
          created_at: z.iso.datetime().describe("When the token was created."),
          expires_at: z.iso.datetime().nullable().describe("When the token expires; `null` = never."),
        })
        .describe("The API token."),
      account: z
        .object({
          id: z.uuid().describe("ID of the account."),
          name: z.string().describe("Name of the account."),
          type: z.enum(["sandbox", "production"]).describe("Type of the account."),
          expires_at: z.iso.datetime().nullable().describe("When the account expires; `null` = never."),
        })
        .describe("The account of the token."),
      partner: z
        .object({
          id: z.uuid().describe("ID of the partner organization."),
          name: z.string().describe("Name of the partner organization."),
        })
        .describe("The partner organization of the account."),
    })
    .meta({
      examples: [
        {
          token: {
            id: "019ca9c0-2222-7111-8222-333344445555",
            name: "Production",
            scopes: [],
            created_at: "2026-03-01T12:00:00.000Z",
            expires_at: null,
          },
          account: {
            id: "019ca9c0-1111-7111-8222-333344445555",
            name: "main",
            type: "production",
            expires_at: null,
          },
          partner: { id: "019ca9c0-0000-7000-8000-5a1f0c9e2b34", name: "Example Inc." },
        },
      ],
    }),
  status: 200,
  errors: [],
  extension: true,
});

const GET_OWN_TOKEN = statement(
  "get-own-token",
  `select t.name, t.scopes, t.created_at, t.expires_at, a.name as account_name,
    a.expires_at as account_expires_at, p.name as partner_name
  from api_tokens t join accounts a on a.id = t.account_id join partners p on p.id = a.partner_id
  where t.account_id = :accountId and t.id = :tokenId`,
);

/** The caller's API token with its account and partner. Errors: unauthorized (revoked meanwhile). */
export async function getOwnToken({ account, actor }: Context): Promise<Output<typeof GetOwnToken>> {
  const tokenId = tokenIdOf(actor) ?? fail("unauthorized", "this needs an API token");
  const [row] = await sql.run(GET_OWN_TOKEN, { accountId: account.id, tokenId });
  if (row === undefined) fail("unauthorized", "the token is unknown or was revoked");
  return {
    token: {
      id: tokenId,
      name: row.name,
      scopes: row.scopes,
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at?.toISOString() ?? null,
    },
    account: {
      id: account.id,
      name: row.account_name,
      type: account.type,
      expires_at: row.account_expires_at?.toISOString() ?? null,
    },
    partner: { id: account.partnerId, name: row.partner_name },
  };
}
