import "server-only";
import { insertAccount } from "@/lib/identity/accounts/create-account";
import { insertPartner } from "@/lib/identity/accounts/create-partner";
import { recordProof, setPassword } from "@/lib/identity/passwords/set-password";
import { insertUser } from "@/lib/identity/people/create-user";
import { hashPassword } from "@/lib/identity/sign-in/hash-password";
import { storeToken } from "@/lib/identity/tokens/store-token";
import { createContactCard } from "@/lib/lines/contact-cards/create-contact-card";
import { insertLine } from "@/lib/lines/lines/create-line";
import type { Instance } from "@/lib/operations/startup/prepare-instance";
import type { AccountRef, Context } from "@/lib/platform/context";
import { takeDatabaseLock } from "@/lib/platform/database/database-lock";
import { prisma, type Sql, transaction } from "@/lib/platform/database/db";
import { baseUrl, env } from "@/lib/platform/env";
import { newTraceId, secretBytes } from "@/lib/platform/ids";
import { isLoopbackHost } from "@/lib/platform/is-loopback-host";
import { writePrivateFile } from "@/lib/platform/postgres/private-file";
import { now } from "@/lib/platform/time/clock";
import { type FirstRun, firstRunFile, readFirstRun } from "@/lib/runtime/server/start/first-run";
import { writeFromPhone } from "@/lib/simulator/phone-actions/write-from-phone";
import { createPhone } from "@/lib/simulator/phones/create-phone";

const LINE = "+15550100001";
const RCS_LINE = "+15550100002";
const PHONES = [
  {
    handle: "+15550100101",
    name: "Ada's iPhone",
    platform: "iphone",
    line: LINE,
    text: "Hi! Is this Trunkline?",
  },
  {
    handle: "+15550100102",
    name: "Grace's Pixel",
    platform: "android_rcs",
    line: RCS_LINE,
    text: "Hello over RCS. Write back whenever you like.",
  },
] as const;
/** Agents share the card of their line, and stop when the line has none (docs/contract.md, section 17). */
const CARDS = { [LINE]: "Demo", [RCS_LINE]: "Demo RCS" };
const ADMIN_EMAIL = "admin@trunkline.local";

/**
 * Creates the demo on an instance without partners: a sandbox account with two lines, two phones that have written to
 * both, an admin and a token. With an external database, or with a HOST that is reachable from other machines, only
 * with SEED_DEMO=1. Writes `first-run.json` (mode 0600). Processes that start together on an empty database create one demo.
 * A process that is killed leaves no demo, or one that the next start completes. Returns whether this process created it.
 */
export async function seedDemo(instance: Instance): Promise<boolean> {
  const { HOST, SEED_DEMO } = env();
  if (instance.postgres === null && !SEED_DEMO) return false;
  const firstRun = readFirstRun(instance.dataDir);
  const isUnfinished = firstRun !== null && firstRun !== "damaged" && !firstRun.is_complete;
  if ((await prisma().partner.count()) > 0 && !isUnfinished) return false;
  if (!SEED_DEMO && !isLoopbackHost(HOST)) return explainNoDemo(HOST);

  const release = await takeDatabaseLock("demo", { wait: true });
  try {
    if ((await prisma().partner.count()) === 0) await createDemo(instance);
    return await completeDemo(instance);
  } finally {
    await release?.();
  }
}

/** Creates everything but the phones in one transaction. The file with its credentials is on disk before the commit. */
async function createDemo(instance: Instance): Promise<void> {
  const file = firstRunFile(instance.dataDir);
  await transaction(async (tx) => {
    const firstRun = await storeDemo(tx);
    writePrivateFile(file, `${JSON.stringify(firstRun, null, 2)}\n`);
  });
}

async function storeDemo(tx: Sql): Promise<FirstRun> {
  const partner = await insertPartner(tx, "Demo");
  const account = await insertAccount(tx, partner.id, "demo", "sandbox");
  await insertLine(tx, account, { phoneNumber: LINE, lineType: "iMessage", transport: "simulator" });
  await insertLine(tx, account, { phoneNumber: RCS_LINE, lineType: "RCS", transport: "simulator" });

  const password = secretBytes(12).toString("base64url");
  const admin = { partnerId: partner.id, email: ADMIN_EMAIL, name: "Admin", role: "admin" } as const;
  // The address belongs to no mailbox.
  const user = await insertUser(tx, { ...admin, isMailed: false });
  await setPassword(tx, user.userId, await hashPassword(password));
  // The operator reads the password in a private file.
  await recordProof(tx, user.userId, true);
  const limits = { expiresAt: null, scopes: [], allowedAddresses: [] };
  const { token } = await storeToken(tx, systemContext(account), "First token", limits);
  return {
    base_url: baseUrl(),
    token,
    line: LINE,
    rcs_line: RCS_LINE,
    phone: PHONES[0].handle,
    admin: { email: ADMIN_EMAIL, password },
    is_complete: false,
  };
}

/** Lets the phones of an unfinished demo write, each once. Returns whether there was one. */
async function completeDemo({ dataDir }: Instance): Promise<boolean> {
  const firstRun = readFirstRun(dataDir);
  if (firstRun === null || firstRun === "damaged" || firstRun.is_complete) return false;
  const line = await prisma().line.findFirst({
    where: { phoneNumber: LINE, releasedAt: null },
    select: { account: { select: { id: true, partnerId: true, type: true } } },
  });
  if (line !== null) {
    await addPhones(line.account);
    await addCards(line.account);
  }
  const { is_complete: _unfinished, ...complete } = firstRun;
  writePrivateFile(firstRunFile(dataDir), `${JSON.stringify(complete, null, 2)}\n`);
  return line !== null;
}

function explainNoDemo(host: string): false {
  process.stdout.write(
    `\n  No demo account was created, because HOST=${host} is reachable from other machines.\n  Set SEED_DEMO=1 to create it anyway, or create your own with \`npm run admin -- create-partner\`.\n`,
  );
  return false;
}

async function addPhones(account: AccountRef): Promise<void> {
  const ctx = systemContext(account);
  for (const { handle, name, platform } of PHONES) await createPhone(ctx, { handle, name, platform });
  for (const { handle, line, text } of PHONES) {
    const chats = await prisma().chat.count({ where: { accountId: account.id, recipientHandle: handle } });
    if (chats === 0) await writeFromPhone(ctx, handle, { to: line, text });
  }
}

async function addCards(account: AccountRef): Promise<void> {
  for (const [phone_number, first_name] of Object.entries(CARDS)) {
    const active = await prisma().contactCard.count({
      where: { accountId: account.id, isActive: true, line: { phoneNumber: phone_number } },
    });
    if (active > 0) continue;
    const body = { phone_number, first_name };
    await createContactCard(systemContext(account), { params: undefined, query: undefined, body });
  }
}

/** The context of Trunkline's own operations in an account. */
function systemContext(account: AccountRef): Context {
  return { account, actor: { type: "system" }, traceId: newTraceId(), now: now() };
}
