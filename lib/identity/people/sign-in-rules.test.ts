import "@/lib/testing/use-test-database";
import { beforeAll, beforeEach, expect, test } from "vitest";
import * as people from "@/app/api/people/route";
import * as rules from "@/app/api/people/sign-in-rules/route";
import * as ownPasskey from "@/app/api/session/passkeys/[passkeyId]/route";
import * as options from "@/app/api/session/passkeys/options/route";
import * as session from "@/app/api/session/route";
import * as tokens from "@/app/api/tokens/route";
import { createUser } from "@/lib/identity/people/create-user";
import { setSignInRules } from "@/lib/identity/people/sign-in-rules";
import { openSession } from "@/lib/identity/sessions/open-session";
import { watchSession } from "@/lib/identity/sessions/watch-session";
import { systemPartnerChange } from "@/lib/identity/users/partner-change";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { addPasskey, confirmWith } from "@/lib/testing/sign-in/use-dashboard-passkey";

let account: TestAccount;
let admin: DashboardUser;

beforeAll(() => {
  process.env.DASHBOARD_URL = "https://trunkline.test";
});

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
});

function requirePasskeys(isRequired = true, of = account): Promise<void> {
  const change = systemPartnerChange(of.ref.partnerId);
  return transaction((tx) => setSignInRules(tx, change, { admins_need_passkey: isRequired }));
}

function update(by: DashboardUser, body: object) {
  return by.call(rules.PATCH, { method: "PATCH", body });
}

async function statusOf(user: DashboardUser): Promise<number> {
  return (await user.call(tokens.GET)).status;
}

test("where admins need a passkey, a password opens nothing but the way to add one", async () => {
  await requirePasskeys();

  const refused = await admin.call(people.GET);
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 2005 } } });
  expect(refused.body.error.message).toContain("passkey");
  expect((await admin.call(session.GET)).status).toBe(200);
  expect((await addPasskey(admin)).answer.status).toBe(201);
  expect(await statusOf(admin)).toBe(200);
});

test("with a passkey already there, the password alone can add or remove none, and the passkey opens the account", async () => {
  const { device, answer } = await addPasskey(admin);
  await requirePasskeys();
  const thief = await admin.signInAgain();
  expect(await statusOf(admin)).toBe(200);

  expect(await statusOf(thief)).toBe(403);
  const added = await thief.call(options.POST, { method: "POST" });
  expect([added.status, added.headers.get("x-proof-required")]).toEqual([403, "passkey"]);
  const removed = await thief.call(ownPasskey.DELETE, {
    method: "DELETE",
    params: { passkeyId: answer.body.id },
  });
  expect(removed.status).toBe(403);
  expect((await confirmWith(thief, device)).status).toBe(204);
  expect(await statusOf(thief)).toBe(200);
});

test("an account of another partner, without the rule, does not help a thief to add or remove a passkey", async () => {
  const { answer } = await addPasskey(admin);
  await requirePasskeys();
  const other = await createTestAccount({ type: "sandbox" });
  const { email } = await prisma().user.findUniqueOrThrow({ where: { id: admin.id } });
  await createUser({ partnerId: other.ref.partnerId, email, name: "Shared", role: "developer" });
  const thief = await admin.signInAgain({ at: other });
  expect(await statusOf(thief)).toBe(200);

  const added = await thief.call(options.POST, { method: "POST" });

  expect([added.status, added.headers.get("x-proof-required")]).toEqual([403, "passkey"]);
  const params = { passkeyId: answer.body.id };
  expect((await thief.call(ownPasskey.DELETE, { method: "DELETE", params })).status).toBe(403);
});

test("the last passkey of an admin who needs one stays", async () => {
  const { answer } = await addPasskey(admin);
  await sql.runText({ text: "update users set password_hash = 'x' where id = $1", values: [admin.id] });
  await requirePasskeys();

  const params = { passkeyId: answer.body.id };
  expect((await admin.call(ownPasskey.DELETE, { method: "DELETE", params })).status).toBe(409);
});

test("the rule asks neither other roles nor people with single sign-on for a passkey", async () => {
  const developer = await signInAs(account, "developer");
  await sql.runText({ text: "update sessions set method = 'oidc' where user_id = $1", values: [admin.id] });
  await requirePasskeys();

  expect([await statusOf(developer), await statusOf(admin)]).toEqual([200, 200]);
});

test("turning the rule on ends the streams of sessions that do not meet it", async () => {
  await sql.runText({ text: "delete from sessions where user_id = $1", values: [admin.id] });
  await transaction((tx) => openSession(tx, { userId: admin.id, method: "password" }));
  const [opened] = await prisma().session.findMany({ where: { userId: admin.id } });
  const ended = new Promise<void>((resolve) => {
    const stop = watchSession({ sessionId: opened?.id ?? "", accountId: account.ref.id }, () => {
      stop();
      resolve();
    });
  });

  await requirePasskeys();

  await ended;
});

test("an admin turns the rule on only with a passkey of their own, and the audit trail shows both values", async () => {
  const refused = await update(admin, { admins_need_passkey: true });
  expect([refused.status, refused.headers.get("x-proof-required")]).toEqual([403, "passkey"]);
  await addPasskey(admin);

  expect((await update(admin, { admins_need_passkey: true })).status).toBe(204);
  expect((await update(admin, { admins_need_passkey: true })).status).toBe(204);

  const { body } = await admin.call(rules.GET);
  expect(body).toEqual({
    admins_need_passkey: true,
    requires_sso: false,
    passkey_blocker: null,
    sso_name: null,
    admins_without_passkey: 0,
  });
  const entries = await prisma().auditEntry.findMany({
    where: { partnerId: account.ref.partnerId, action: "partner.sign_in_rules_changed" },
  });
  expect(entries.map(({ actorId, detail }) => [actorId, detail])).toEqual([
    [
      admin.id,
      {
        from: { admins_need_passkey: false, requires_sso: false },
        to: { admins_need_passkey: true, requires_sso: false },
      },
    ],
  ]);
});

test("a change of the rules needs a fresh proof, and the rule a URL at which passkeys work", async () => {
  await addPasskey(admin);
  process.env.DASHBOARD_URL = "https://192.0.2.7";
  try {
    const elsewhere = await admin.signInAgain();
    expect((await update(elsewhere, { admins_need_passkey: true })).status).toBe(403);
    expect((await elsewhere.call(rules.GET)).body.passkey_blocker).toContain("host name");
  } finally {
    process.env.DASHBOARD_URL = "https://trunkline.test";
  }
  await sql.runText({ text: "update sessions set proved_at = null where user_id = $1", values: [admin.id] });
  expect((await update(admin, { admins_need_passkey: false })).headers.get("x-proof-required")).toBe(
    "required",
  );
});
