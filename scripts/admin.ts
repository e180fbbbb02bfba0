// npm run admin -- …: what an instance's operator does where no dashboard user exists yet.
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { setAttachmentTier } from "@/lib/attachments/set-attachment-tier";
import { createAccount } from "@/lib/identity/accounts/create-account";
import { createPartner } from "@/lib/identity/accounts/create-partner";
import { UpdateAccountOptions, updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { createToken } from "@/lib/identity/tokens/create-token";
import { revokeToken } from "@/lib/identity/tokens/revoke-token";
import { RollToken, rollToken } from "@/lib/identity/tokens/roll-token";
import { tokenFields } from "@/lib/identity/tokens/token-fields";
import { createUser } from "@/lib/identity/users/create-user";
import { endSessions } from "@/lib/identity/users/end-sessions";
import { systemPartnerChange } from "@/lib/identity/users/partner-change";
import { toPasswordLink } from "@/lib/identity/users/person";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { removeMember } from "@/lib/identity/users/remove-person";
import { clearPassword } from "@/lib/identity/users/reset-password";
import { setOperator } from "@/lib/identity/users/set-operator";
import { EmailAddress } from "@/lib/identity/users/user";
import { createLine } from "@/lib/lines/lines/create-line";
import { setLineConnection } from "@/lib/lines/lines/line-connection";
import { releaseLine } from "@/lib/lines/lines/release-line";
import { requireTransport } from "@/lib/lines/lines/require-transport";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import { now } from "@/lib/platform/clock";
import type { AccountRef, Context } from "@/lib/platform/context";
import { sealingKeyIds } from "@/lib/platform/crypto";
import { closeDatabase, prisma, transaction } from "@/lib/platform/db";
import { baseUrl } from "@/lib/platform/env";
import { newTraceId } from "@/lib/platform/ids";
import { PhoneNumber } from "@/lib/platform/phone-handle";
import { LineStatus } from "@/lib/platform/prisma/enums";
import { attachDatabase } from "@/lib/runtime/server/attach-database";
import { retireOtherKeys } from "@/lib/runtime/server/check-encryption-key";
import { resealSecrets } from "@/lib/runtime/server/reseal-secrets";
import { importV2Chats } from "@/lib/runtime/v2/import-v2-chats";
import { connectRooms } from "@/lib/runtime/wiring/connect-rooms";

const USAGE = `npm run admin -- <command>

  create-partner --name <name>
  create-account --partner <id> --name <name> --type sandbox|production
  create-line    --account <id> --number <E.164> --type iMessage|RCS [--transport simulator]
                 only sandbox accounts can use the simulator
  connect-line   --line <id> --file <settings.json>
                 stores the settings and secrets of the line's connection to its vendor, sealed; prints its callback URL
  set-line-status --line <id> --status ACTIVE|FLAGGED
  create-user    --partner <id> --email <address> --name <name> [--role admin|developer|support|viewer]
  remove-user    --partner <id> --email <address>   also ends the person's sessions
  reset-password --email <address>   invalidates the password and ends the sessions; prints a link to set a new password
  end-sessions   --email <address>   signs the person out everywhere
  create-token   --account <id> --name <name> [--expires 30|90|365|never] [--scopes messaging,read_only,payments]
                 [--addresses <CIDR>,…]   a token without scopes has full access
  roll-token     --token <id> [--overlap-hours 24]   creates a replacement; the old token works until the overlap ends
  revoke-token   --token <id>
  set-attachment-tier --account <id> --tier persistent|ephemeral [--number <E.164>]
                 applies to new files of an account or of one of its lines (a line also takes --tier account)
  set-account-options --account <id> --options <JSON>
                 limits, expiry and other options, for example {"daily_messages": 1000, "expires_at": null}; takes effect within 5 s;
                 {"checkout_clip": "active"} ends the review of the app clip of a production account's checkout
  import-v2      <file.csv> --account <id>
                 maps V2 chat ids: columns v2_chat_id and v3_chat_id (an id or "not migratable"), or line and
                 handles (E.164 or email, separated by spaces): the chat is created on the first V2 request
  release-line   --line <id>   releases the number; its chats remain readable
  reseal         re-encrypts every stored secret with the first key of ENCRYPTION_KEY. To rotate: add the new key at the front
                 (ENCRYPTION_KEY=2:<new>,1:<old>), restart every process, reseal, remove the old key, restart again
  grant-operator  --email <address>   allows a user to operate this instance in the dashboard: assign and flag lines
  revoke-operator --email <address>   revokes it; takes effect with the user's next request
  list           lists partners, users, accounts, lines and tokens with their ids

The command uses DATABASE_URL, or the embedded database in DATA_DIR.
`;

const COMMANDS: Record<string, (options: Record<string, unknown>) => Promise<string>> = {
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
  "create-line": async (options) => {
    const { account, number, type, transport } = LineOptions.parse(options);
    const owner = await findAccount(account);
    requireTransport(owner, transport);
    const line = await createLine(owner, {
      phoneNumber: number,
      lineType: type,
      transport,
    });
    return `line ${line.id}  ${number} (${type}, ${transport})`;
  },
  "connect-line": async (options) => {
    const { line, file } = z.object({ line: z.uuid(), file: z.string() }).parse(options);
    const settings = z.record(z.string(), z.string()).parse(JSON.parse(await readFile(file, "utf8")));
    const { account, phoneNumber } = await findLine(line);
    await setLineConnection({ accountId: account.id, id: line }, settings);
    return `line ${line}  ${phoneNumber} is connected; its callback URL is ${baseUrl()}/inbound/lines/${line}`;
  },
  "set-line-status": async (options) => {
    const { line, status } = z.object({ line: z.uuid(), status: z.enum(LineStatus) }).parse(options);
    const { account, phoneNumber } = await findLine(line);
    await setLineStatus(systemContext(account), line, status);
    return `line ${line}  ${phoneNumber} is ${status}`;
  },
  "create-user": async (options) => {
    const { partner, email, name, role } = UserOptions.parse(options);
    const { link } = await createUser({ partnerId: partner, email, name, role });
    if (link === null) return `${email} already has a password and can now also sign in to this partner.`;
    return `${email} can set a password with this link (valid for 24 hours, works once):\n${toPasswordLink(link).url}`;
  },
  "remove-user": async (options) => {
    const { partner, email } = z.object({ partner: z.uuid(), email: EmailAddress }).parse(options);
    const user = await findUser(email);
    await transaction((tx) => removeMember(tx, systemPartnerChange(partner), user.id));
    return `${email} no longer has access to partner ${partner}.`;
  },
  "reset-password": async (options) => {
    const { email } = z.object({ email: EmailAddress }).parse(options);
    const user = await findUser(email);
    const link = await transaction(async (tx) => {
      await recordUserAudit(tx, user.id, "user.password_reset", { actorType: "system" });
      return clearPassword(tx, user.id);
    });
    return `${email} can set a new password with this link (valid for 24 hours, works once):\n${toPasswordLink(link).url}`;
  },
  "end-sessions": async (options) => {
    const { email } = z.object({ email: EmailAddress }).parse(options);
    const user = await findUser(email);
    const count = await transaction(async (tx) => {
      const ended = await endSessions(tx, user.id);
      const detail = { count: ended };
      await recordUserAudit(tx, user.id, "user.sessions_ended", { actorType: "system", detail });
      return ended;
    });
    return `${email} was signed out of ${count} ${count === 1 ? "browser" : "browsers"}.`;
  },
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
    return [`${imported} rows imported, ${failed} not`, ...wrong].join("\n");
  },
  "release-line": async (options) => {
    const { line } = z.object({ line: z.uuid() }).parse(options);
    const { account, phoneNumber } = await findLine(line);
    const input = { params: { lineId: line }, query: undefined, body: undefined };
    await releaseLine(systemContext(account), input);
    return `line ${line}  ${phoneNumber} is released`;
  },
  reseal: async () => {
    const { resealed, unreadable } = await resealSecrets();
    await retireOtherKeys();
    const [first] = sealingKeyIds();
    const left = unreadable === 0 ? "" : `; ${unreadable} could not be decrypted with any key and were left`;
    return `${resealed} secrets re-encrypted with the key "${first}"${left}`;
  },
  "grant-operator": (options) => changeOperator(options, true),
  "revoke-operator": (options) => changeOperator(options, false),
  list,
};

const Name = z.string().trim().min(1).max(100);
const LineOptions = z.object({
  account: z.uuid(),
  number: PhoneNumber,
  type: z.enum(["iMessage", "RCS"]),
  transport: z.string().default("simulator"),
});
const TierOptions = z
  .object({
    account: z.uuid(),
    number: PhoneNumber.optional(),
    tier: z.enum(["persistent", "ephemeral", "account"]),
  })
  .refine(({ number, tier }) => number !== undefined || tier !== "account", {
    error: "an account's own tier is persistent or ephemeral",
  });
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
const UserOptions = z.object({
  partner: z.uuid(),
  email: z.email(),
  name: Name,
  role: z.enum(["admin", "developer", "support", "viewer"]).default("admin"),
});

async function changeOperator(options: Record<string, unknown>, isOperator: boolean): Promise<string> {
  const { email } = z.object({ email: z.email() }).parse(options);
  if (!(await setOperator(email, isOperator))) throw new Error(`no user has the address ${email}`);
  return isOperator ? `${email} is an operator` : `${email} is no longer an operator`;
}

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
      `  account ${account.id}  ${account.name} (${account.type})`,
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

async function findAccount(id: string): Promise<AccountRef> {
  const account = await prisma().account.findUnique({ where: { id } });
  if (account === null) throw new Error(`no account has the id ${id}: see \`npm run admin -- list\``);
  return toAccountRef(account);
}

function toAccountRef({ id, partnerId, type }: AccountRef): AccountRef {
  return { id, partnerId, type };
}

async function findUser(email: string): Promise<{ id: string }> {
  const user = await prisma().user.findUnique({ where: { email }, select: { id: true } });
  if (user === null) throw new Error(`no user has the e-mail ${email}: see \`npm run admin -- list\``);
  return user;
}

async function findTokenContext(id: string): Promise<Context> {
  const token = await prisma().apiToken.findFirst({ where: { id }, include: { account: true } });
  if (token === null) throw new Error(`no token has the id ${id}: see \`npm run admin -- list\``);
  return systemContext(toAccountRef(token.account));
}

async function findLine(id: string): Promise<{ account: AccountRef; phoneNumber: string }> {
  const line = await prisma().line.findFirst({ where: { id }, include: { account: true } });
  if (line === null) throw new Error(`no line has the id ${id}: see \`npm run admin -- list\``);
  return { account: toAccountRef(line.account), phoneNumber: line.phoneNumber };
}

function systemContext(account: AccountRef): Context {
  return { account, actor: { type: "system" }, traceId: newTraceId(), now: now() };
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: Object.fromEntries(
    [
      "name",
      "partner",
      "type",
      "account",
      "number",
      "transport",
      "email",
      "role",
      "line",
      "status",
      "tier",
      "options",
      "expires",
      "scopes",
      "addresses",
      "token",
      "overlap-hours",
    ].map((name) => [name, { type: "string" as const }]),
  ),
});

const command = COMMANDS[positionals[0] ?? ""];
if (command === undefined) {
  process.stdout.write(USAGE);
  process.exitCode = positionals.length === 0 ? 0 : 1;
} else {
  await runCommand(command);
}

async function runCommand(run: (options: Record<string, unknown>) => Promise<string>): Promise<void> {
  let release: () => Promise<void> = async () => undefined;
  try {
    connectRooms();
    release = await attachDatabase(process.env);
    process.stdout.write(`${await run({ ...values, file: positionals[1] })}\n`);
  } catch (error) {
    process.stderr.write(
      `${error instanceof z.ZodError ? z.prettifyError(error) : String((error as Error).message)}\n`,
    );
    process.exitCode = 1;
  } finally {
    await closeDatabase();
    await release();
  }
}
