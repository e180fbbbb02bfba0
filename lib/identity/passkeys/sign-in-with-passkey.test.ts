import "@/lib/testing/use-test-database";
import { beforeAll, beforeEach, expect, test } from "vitest";
import * as signInOptions from "@/app/api/passkey-sign-in/route";
import * as options from "@/app/api/session/passkeys/options/route";
import { signInWithPasskey } from "@/lib/identity/passkeys/sign-in-with-passkey";
import { findPasskeys } from "@/lib/identity/passkeys/user-passkey";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { prisma, sql } from "@/lib/platform/database/db";
import { dashboardUrl } from "@/lib/platform/env";
import { runForClient } from "@/lib/platform/http/request-client";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";
import {
  addPasskey,
  requestOf,
  signInChallenge,
  signInWith,
} from "@/lib/testing/sign-in/use-dashboard-passkey";

let account: TestAccount;
let user: DashboardUser;

beforeAll(() => {
  process.env.DASHBOARD_URL = "https://trunkline.test";
});

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  user = await signInAs(account, "support");
});

async function audits(userId = user.id): Promise<[string, unknown][]> {
  const entries = await prisma().auditEntry.findMany({ where: { objectId: userId }, orderBy: { id: "asc" } });
  return entries.map(({ action, detail }) => [action, detail]);
}

test("the options of a sign-in name no person and are not cached, and say where passkeys don't work", async () => {
  const ask = async () => {
    const request = new Request(`${dashboardUrl()}/api/passkey-sign-in`);
    const answer = await signInOptions.GET(request, { params: Promise.resolve({}) });
    return { status: answer.status, cache: answer.headers.get("cache-control"), body: await answer.json() };
  };

  expect(await ask()).toMatchObject({
    status: 200,
    cache: "no-store",
    body: { rpId: "trunkline.test", userVerification: "required" },
  });
  expect((await ask()).body.allowCredentials ?? []).toEqual([]);
  process.env.DASHBOARD_URL = "http://trunkline.test";
  expect(await ask()).toMatchObject({ status: 403, body: { error: { code: 2011 } } });
  process.env.DASHBOARD_URL = "https://trunkline.test";
});

test("a passkey opens a session without an email address, and notes its use", async () => {
  const { device } = await addPasskey(user);

  const result = await signInWith(device);

  expect(result).toMatchObject({ outcome: "signed_in", user: { id: user.id } });
  const opened = await prisma().session.findMany({ where: { userId: user.id, method: "passkey" } });
  expect(opened.some(({ provedAt }) => provedAt !== null)).toBe(true);
  expect((await findPasskeys(sql, user.id))[0]?.last_used_at).not.toBeNull();
  expect((await audits()).at(-1)).toEqual(["user.signed_in", { method: "passkey" }]);
  expect(
    await prisma().event.count({ where: { accountId: account.ref.id, type: "team_member.signed_in" } }),
  ).toBe(1);
});

test("one signature opens one session, also when it is sent twice at once", async () => {
  const { device } = await addPasskey(user);
  const assertion = device.sign(requestOf(await signInChallenge()));

  const both = await Promise.all([signInWithPasskey(assertion), signInWithPasskey(assertion)]);

  expect(both.map(({ outcome }) => outcome).sort()).toEqual(["refused", "signed_in"]);
});

test("a challenge for another purpose, or one not made here, opens none", async () => {
  const { device } = await addPasskey(user);
  const asked = await user.call(options.POST, { method: "POST" });
  const forged = Buffer.from(`nonce.${Date.now() + 60_000}.signature`).toString("base64url");

  for (const challenge of [asked.body.challenge, forged]) {
    expect(await signInWithPasskey(device.sign(requestOf(challenge)))).toEqual({
      outcome: "refused",
      reason: "challenge",
    });
  }
});

test("a passkey whose counter is behind that of its copy is refused, and every session of the person shows it", async () => {
  const { device } = await addPasskey(user);
  const early = [await signInChallenge(), await signInChallenge()].map((challenge) =>
    device.sign(requestOf(challenge)),
  );
  const [copy, original] = early;
  if (copy === undefined || original === undefined) throw new Error("no signatures");

  expect(await signInWithPasskey(original)).toMatchObject({ outcome: "signed_in" });
  expect(await signInWithPasskey(copy)).toEqual({ outcome: "refused", reason: "copied" });
  expect((await audits()).at(-1)).toEqual(["user.sign_in_failed", { method: "passkey", reason: "copied" }]);
  const notices = await prisma().session.findMany({ where: { userId: user.id } });
  expect(notices.length).toBeGreaterThan(1);
  for (const { notice } of notices) expect(notice).toMatchObject({ type: "passkey_copied", name: "Phone" });
});

test("only one of a passkey and its copy that sign with the same counter at once opens a session", async () => {
  const { device } = await addPasskey(user);
  const copy = device.copy();

  const both = await Promise.all([signInWith(device), signInWith(copy)]);

  expect(both.map(({ outcome }) => outcome).sort()).toEqual(["refused", "signed_in"]);
});

test("another person's user handle, and a device that does not verify its user, are refused", async () => {
  const { device } = await addPasskey(user);
  const signed = device.sign(requestOf(await signInChallenge()));
  const response = { ...signed.response, userHandle: Buffer.alloc(16, 7).toString("base64url") };

  expect(await signInWithPasskey({ ...signed, response })).toMatchObject({ outcome: "refused" });
  const unverified = device.sign(requestOf(await signInChallenge()), { verifiesUser: false });
  expect(await signInWithPasskey(unverified)).toMatchObject({ outcome: "refused" });
});

test("failures are counted with those of the password, and a success clears them", async () => {
  const { device } = await addPasskey(user);
  const { email } = await prisma().user.findUniqueOrThrow({ where: { id: user.id } });
  const wrong = () => signInWithPasskey(device.sign(requestOf("bm9uZQ")));
  for (let n = 0; n < 4; n++) await signIn(email, "wrong");
  expect(await wrong()).toMatchObject({ outcome: "refused" });

  expect(await signInWith(device)).toMatchObject({
    outcome: "locked",
    retryAfterSeconds: expect.any(Number),
  });
  expect(await signIn(email, "wrong")).toMatchObject({ outcome: "locked" });
  await sql.runText({ text: "update sign_in_throttles set locked_until = null" });
  expect(await signInWith(device)).toMatchObject({ outcome: "signed_in" });
  expect(await wrong()).toMatchObject({ outcome: "refused" });
});

test("unknown passkeys count against the client's address", async () => {
  const stranger = createAuthenticator();
  const outcomes = await runForClient({ address: "198.51.100.66", userAgent: null }, async () => {
    const found = [];
    for (let n = 0; n < 6; n++) found.push((await signInWith(stranger)).outcome);
    return found;
  });
  expect(outcomes).toEqual([...Array(5).fill("unknown"), "locked"]);
});
