import { createReadStream } from "node:fs";
import { z } from "zod";
import { setAttachmentTier } from "@/lib/attachments/retention/set-attachment-tier";
import { archiveAccount, restoreAccount } from "@/lib/identity/accounts/archive-account";
import { createAccount } from "@/lib/identity/accounts/create-account";
import { createPartner } from "@/lib/identity/accounts/create-partner";
import { UpdateAccount, updateAccount } from "@/lib/identity/accounts/update-account";
import { UpdateAccountOptions, updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { prisma } from "@/lib/platform/database/db";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";
import { importV2Chats } from "@/lib/runtime/v2/import-v2-chats";
import { type Commands, findAccount, Name, systemContext } from "@/scripts/admin/command";

const AccountOption = z.object({ account: z.uuid() });

const TierOptions = z
  .object({
    account: z.uuid(),
    number: PhoneNumber.optional(),
    tier: z.enum(["persistent", "ephemeral", "account"]),
  })
  .refine(({ number, tier }) => number !== undefined || tier !== "account", {
    error: "an account's tier must be persistent or ephemeral",
  });

export const ACCOUNT_COMMANDS: Commands = {
  "create-partner": async (options) => {
    const { name } = z.object({ name: Name }).parse(options);
    const partner = await createPartner(name);
    return `partner ${partner.id}  ${partner.name}`;
  },
  "create-account": async (options) => {
    const Options = z.object({ partner: z.uuid(), name: Name, type: z.enum(["sandbox", "production"]) });
    const { partner, name, type } = Options.parse(options);
    const account = await createAccount(partner, name, type);
    return `account ${account.id}  ${name} (${type})`;
  },
  "rename-account": async (options) => {
    const { account, name } = AccountOption.extend({ name: UpdateAccount.body.shape.name.unwrap() }).parse(
      options,
    );
    const ctx = systemContext(await findAccount(account));
    const renamed = await updateAccount(ctx, { params: { accountId: account }, body: { name } });
    return `account ${account}  ${renamed.name} (${renamed.type})`;
  },
  "archive-account": async (options) => {
    const { account } = AccountOption.parse(options);
    const { name } = await archiveAccount(systemContext(await findAccount(account)), {
      params: { accountId: account },
    });
    return `account ${account}  ${name}: archived; its tokens are refused and its lines are stopped`;
  },
  "restore-account": async (options) => {
    const { account } = AccountOption.parse(options);
    const { name } = await restoreAccount(systemContext(await findAccount(account)), {
      params: { accountId: account },
    });
    return `account ${account}  ${name}: restored`;
  },
  "set-attachment-tier": async (options) => {
    const { account, number, tier } = TierOptions.parse(options);
    const place = { account: await findAccount(account), phoneNumber: number };
    await setAttachmentTier(place, tier === "account" ? null : tier);
    return `${number ?? account}: ${tier}`;
  },
  "set-account-options": async (options) => {
    const { account, options: json } = z.object({ account: z.uuid(), options: z.string() }).parse(options);
    const body = UpdateAccountOptions.body.strict().parse(JSON.parse(json));
    const changed = await updateAccountOptions(systemContext(await findAccount(account)), { body });
    return JSON.stringify(changed, null, 2);
  },
  "import-v2": async (options) => {
    const { account, file } = z.object({ account: z.uuid(), file: z.string() }).parse(options);
    const context = systemContext(await findAccount(account));
    const { imported, failed, errors } = await importV2Chats(context, createReadStream(file));
    const wrong = errors.map(({ line, message }) => `line ${line}: ${message}`);
    return [`${imported} rows imported, ${failed} failed`, ...wrong].join("\n");
  },
  list,
};

async function list(): Promise<string> {
  const partners = await prisma().partner.findMany({
    orderBy: { createdAt: "asc" },
    include: {
      memberships: { include: { user: true } },
      accounts: {
        include: { lines: true, tokens: { where: { revokedAt: null } } },
        orderBy: { createdAt: "asc" },
      },
    },
  });
  const lines = partners.flatMap((partner) => [
    `partner ${partner.id}  ${partner.name}`,
    ...partner.memberships.map(
      ({ user, role }) =>
        `  user    ${user.id}  ${user.email} (${role}${user.isOperator ? ", operator" : ""})`,
    ),
    ...partner.accounts.flatMap((account) => [
      `  account ${account.id}  ${account.name} (${account.type}${account.archivedAt === null ? "" : ", archived"})`,
      ...account.lines.map(
        (line) => `    line    ${line.id}  ${line.phoneNumber} (${line.lineType}, ${line.transport})`,
      ),
      ...account.tokens.map(
        (token) => `    token   ${token.id}  ${token.name} (${token.prefix}…${token.lastFour})`,
      ),
    ]),
  ]);
  return lines.length === 0 ? "No partners yet. Create one with create-partner." : lines.join("\n");
}
