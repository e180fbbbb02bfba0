import { z } from "zod";
import { createToken } from "@/lib/identity/tokens/create-token";
import { revokeToken } from "@/lib/identity/tokens/revoke-token";
import { RollToken, rollToken } from "@/lib/identity/tokens/roll-token";
import { tokenFields } from "@/lib/identity/tokens/token-fields";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { type Commands, findAccount, Name, systemContext, toAccountRef } from "@/scripts/admin/command";

const CommaList = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((item) => item.trim() || []));
const TokenOptions = z.object({
  account: z.uuid(),
  name: Name,
  expires: z
    .enum(["30", "90", "365", "never"])
    .default("never")
    .transform((days) => (days === "never" ? null : Number(days)))
    .pipe(tokenFields.expires_in_days),
  scopes: CommaList.pipe(tokenFields.scopes),
  addresses: CommaList.pipe(tokenFields.allowed_addresses),
});

export const TOKEN_COMMANDS: Commands = {
  "create-token": async (options) => {
    const { account, expires, ...limits } = TokenOptions.parse(options);
    const body = { ...limits, expires_in_days: expires, allowed_addresses: limits.addresses };
    const { token } = await createToken(systemContext(await findAccount(account)), body);
    return `${token}\nThe token is shown only once.`;
  },
  "roll-token": async (options) => {
    const Options = z.object({
      token: z.uuid(),
      "overlap-hours": z.coerce.number().optional(),
    });
    const { token: tokenId, "overlap-hours": overlap_hours } = Options.parse(options);
    const input = { params: { tokenId }, body: RollToken.body.parse({ overlap_hours }) };
    const { token, previous_valid_until } = await rollToken(await findTokenContext(tokenId), input);
    const old = previous_valid_until === null ? "is revoked" : `works until ${previous_valid_until}`;
    return `${token}\nThe token is shown only once. The old token ${old}.`;
  },
  "revoke-token": async (options) => {
    const { token: tokenId } = z.object({ token: z.uuid() }).parse(options);
    await revokeToken(await findTokenContext(tokenId), { params: { tokenId } });
    return `token ${tokenId} is revoked`;
  },
};

async function findTokenContext(id: string): Promise<Context> {
  const token = await prisma().apiToken.findFirst({ where: { id }, include: { account: true } });
  if (token === null) throw new Error(`no token has the ID ${id}: see \`npm run admin -- list\``);
  return systemContext(toAccountRef(token.account));
}
