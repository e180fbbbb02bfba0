import "server-only";
import { createAccount } from "@/lib/identity/accounts/create-account";
import { createPartner } from "@/lib/identity/accounts/create-partner";
import { createToken } from "@/lib/identity/tokens/create-token";
import { createUser } from "@/lib/identity/users/create-user";
import { setPassword } from "@/lib/identity/users/set-password";
import { createLine } from "@/lib/lines/lines/create-line";
import { now } from "@/lib/platform/clock";
import type { AccountRef, Context } from "@/lib/platform/context";
import { takeDatabaseLock } from "@/lib/platform/database-lock";
import { prisma, transaction } from "@/lib/platform/db";
import { baseUrl, env, isLoopbackHost } from "@/lib/platform/env";
import { newTraceId, secretBytes } from "@/lib/platform/ids";
import { writePrivateFile } from "@/lib/platform/private-file";
import { type FirstRun, firstRunFile } from "@/lib/runtime/server/first-run";
import type { Instance } from "@/lib/runtime/server/prepare-instance";
import { createPhone } from "@/lib/simulator/create-phone";
import { writeFromPhone } from "@/lib/simulator/write-from-phone";

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
const ADMIN_EMAIL = "admin@trunkline.local";

/**
 * Creates the demo on an instance without partners: a sandbox account with two lines, two phones that have written to
 * both, an admin and a token. With an external database, or with a HOST that is reachable from other machines, only
 * with SEED_DEMO=1. Writes `first-run.json` (mode 0600). Processes that start together on an empty database create one demo.
 * Returns whether this process created it.
 */
export async function seedDemo(instance: Instance): Promise<boolean> {
  const { HOST, SEED_DEMO } = env();
  if (instance.postgres === null && !SEED_DEMO) return false;
  if ((await prisma().partner.count()) > 0) return false;
  if (!SEED_DEMO && !isLoopbackHost(HOST)) return explainNoDemo(HOST);

  const release = await takeDatabaseLock("demo", { wait: true });
  try {
    if ((await prisma().partner.count()) > 0) return false;
    await createDemo(instance);
    return true;
  } finally {
    await release?.();
  }
}

async function createDemo(instance: Instance): Promise<void> {
  const partner = await createPartner("Demo");
  const account = await createAccount(partner.id, "demo", "sandbox");
  await createLine(account, { phoneNumber: LINE, lineType: "iMessage", transport: "simulator" });
  await createLine(account, { phoneNumber: RCS_LINE, lineType: "RCS", transport: "simulator" });
  await addPhones(account);

  const password = secretBytes(12).toString("base64url");
  const admin = { partnerId: partner.id, email: ADMIN_EMAIL, name: "Admin", role: "admin" } as const;
  // The address belongs to no mailbox.
  const user = await createUser({ ...admin, isMailed: false });
  await transaction((tx) => setPassword(tx, user.userId, password));
  const { token } = await createToken(systemContext(account), { name: "First token" });

  const firstRun: FirstRun = {
    base_url: baseUrl(),
    token,
    line: LINE,
    rcs_line: RCS_LINE,
    phone: PHONES[0].handle,
    admin: { email: ADMIN_EMAIL, password },
  };
  writePrivateFile(firstRunFile(instance.dataDir), `${JSON.stringify(firstRun, null, 2)}\n`);
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
  for (const { handle, line, text } of PHONES) await writeFromPhone(ctx, handle, { to: line, text });
}

/** The context of Trunkline's own operations in an account. */
function systemContext(account: AccountRef): Context {
  return { account, actor: { type: "system" }, traceId: newTraceId(), now: now() };
}
