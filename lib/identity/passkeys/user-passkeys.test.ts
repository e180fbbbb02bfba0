import "@/lib/testing/use-test-database";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as personPasskeys from "@/app/api/people/[userId]/passkeys/route";
import * as notice from "@/app/api/session/notice/route";
import * as ownPasskey from "@/app/api/session/passkeys/[passkeyId]/route";
import * as options from "@/app/api/session/passkeys/options/route";
import * as ownPasskeys from "@/app/api/session/passkeys/route";
import * as password from "@/app/api/session/password/route";
import * as proof from "@/app/api/session/proof/passkey/route";
import * as session from "@/app/api/session/route";
import { createPartner } from "@/lib/identity/accounts/create-partner";
import { MAX_PASSKEYS } from "@/lib/identity/passkeys/user-passkey";
import { setPassword } from "@/lib/identity/passwords/set-password";
import { createUser } from "@/lib/identity/people/create-user";
import { hashPassword } from "@/lib/identity/sign-in/hash-password";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { runForClient } from "@/lib/platform/http/request-client";
import { setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";
import { addPasskey, confirmWith, requestOf, signInWith } from "@/lib/testing/sign-in/use-dashboard-passkey";

const PASSWORD = "correct horse battery";
const URL_WITH_PASSKEYS = "https://trunkline.test";
let account: TestAccount;
let user: DashboardUser;

beforeAll(() => {
  process.env.DASHBOARD_URL = URL_WITH_PASSKEYS;
});

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  user = await signInAs(account, "support");
});

afterEach(() => setClock(null));

function list(of = user) {
  return of.call(ownPasskeys.GET).then(({ body }) => body.passkeys);
}

function remove(passkeyId: string, by = user) {
  return by.call(ownPasskey.DELETE, { method: "DELETE", params: { passkeyId } });
}

async function audits(userId = user.id): Promise<[string, unknown][]> {
  const entries = await prisma().auditEntry.findMany({ where: { objectId: userId }, orderBy: { id: "asc" } });
  return entries.map(({ action, detail }) => [action, detail]);
}

async function expireProof(of: DashboardUser): Promise<void> {
  await sql.runText({
    text: "update sessions set proved_at = now() - interval '10 minutes' where user_id = $1",
    values: [of.id],
  });
}

describe("adding", () => {
  test("a passkey is listed with its name, and the audit trail has it", async () => {
    const { answer } = await addPasskey(user);

    expect(answer.status).toBe(201);
    expect(await list()).toEqual([
      {
        id: answer.body.id,
        name: "Phone",
        is_synced: false,
        created_at: answer.body.created_at,
        last_used_at: null,
      },
    ]);
    expect((await audits()).at(-1)).toEqual([
      "user.passkey_added",
      { passkey: answer.body.id, name: "Phone" },
    ]);
  });

  test("needs a fresh proof, for the options and for the passkey itself", async () => {
    const asked = await user.call(options.POST, { method: "POST" });
    const passkey = createAuthenticator().register(requestOf(asked.body.challenge));
    await expireProof(user);

    const again = await user.call(options.POST, { method: "POST" });
    const added = await user.call(ownPasskeys.POST, { method: "POST", body: { name: "Phone", passkey } });

    expect([again, added].map(({ status, headers }) => [status, headers.get("x-proof-required")])).toEqual([
      [403, "required"],
      [403, "required"],
    ]);
    expect(await list()).toEqual([]);
  });

  test("a passkey whose request comes to its end after the session ended is refused", async () => {
    const asked = await user.call(options.POST, { method: "POST" });
    const passkey = createAuthenticator().register(requestOf(asked.body.challenge));
    const text = JSON.stringify({ name: "Phone", passkey });
    const body = new ReadableStream(
      {
        async pull(controller) {
          await prisma().session.deleteMany({ where: { userId: user.id } });
          controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { cookie: user.cookie, origin: URL_WITH_PASSKEYS };
    const request = new Request(`${URL_WITH_PASSKEYS}/api`, {
      method: "POST",
      headers,
      body,
      duplex: "half",
    } as RequestInit);

    const answer = await ownPasskeys.POST(request, { params: Promise.resolve({}) });

    expect(answer.status).toBe(401);
    expect(await prisma().userPasskey.count({ where: { userId: user.id } })).toBe(0);
  });

  test.each([
    ["another site", { origin: "https://elsewhere.example" }],
    ["another relying party", { rpID: "elsewhere.example" }],
  ])("a passkey made for %s is refused", async (_, changed) => {
    const asked = await user.call(options.POST, { method: "POST" });
    const passkey = createAuthenticator().register({ ...requestOf(asked.body.challenge), ...changed });

    const answer = await user.call(ownPasskeys.POST, { method: "POST", body: { name: "Phone", passkey } });

    expect(answer).toMatchObject({ status: 400, body: { error: { code: 1005 } } });
  });

  test("a device that does not verify its user is refused", async () => {
    const asked = await user.call(options.POST, { method: "POST" });
    const passkey = createAuthenticator().register(requestOf(asked.body.challenge), { verifiesUser: false });

    const answer = await user.call(ownPasskeys.POST, { method: "POST", body: { name: "Phone", passkey } });

    expect(answer.status).toBe(400);
  });

  test("a challenge works once, also for two requests at once, and for no other session", async () => {
    const asked = await user.call(options.POST, { method: "POST" });
    const elsewhere = await user.signInAgain();
    const add = (by: DashboardUser) => {
      const passkey = createAuthenticator().register(requestOf(asked.body.challenge));
      return by.call(ownPasskeys.POST, { method: "POST", body: { name: "Phone", passkey } });
    };

    expect((await add(elsewhere)).status).toBe(400);
    const both = await Promise.all([add(user), add(user)]);

    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(await list()).toHaveLength(1);
  });

  test("a challenge expires after five minutes", async () => {
    const start = new Date("2026-03-01T12:00:00Z");
    setClock({ offsetMs: 0, frozenAt: start });
    const challenges = [];
    for (const _ of [1, 2])
      challenges.push((await user.call(options.POST, { method: "POST" })).body.challenge);
    const statuses = [];
    for (const [at, seconds] of [299, 300].entries()) {
      setClock({ offsetMs: 0, frozenAt: new Date(start.getTime() + seconds * 1000) });
      const passkey = createAuthenticator().register(requestOf(challenges[at]));
      const answer = await user.call(ownPasskeys.POST, { method: "POST", body: { name: "Phone", passkey } });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([201, 400]);
  });

  test("the same passkey cannot be added twice, also not by another person", async () => {
    const { device } = await addPasskey(user);
    const other = await signInAs(account, "viewer");

    expect((await addPasskey(user, device)).answer.status).toBe(409);
    expect((await addPasskey(other, device)).answer.status).toBe(409);
  });

  test("a person has at most 20, also when two are added at once", async () => {
    for (let n = 1; n < MAX_PASSKEYS; n++) expect((await addPasskey(user)).answer.status).toBe(201);

    const both = await Promise.all([addPasskey(user), addPasskey(user)]);

    expect(both.map(({ answer }) => answer.status).sort()).toEqual([201, 409]);
  });

  test("is shown in the person's other sessions until each dismisses it", async () => {
    const [other, third] = [await user.signInAgain(), await user.signInAgain()];
    await runForClient({ address: "203.0.113.7", userAgent: "Mozilla/5.0 (Windows) Chrome/140" }, () =>
      addPasskey(user),
    );
    const noticeOf = async (of: DashboardUser) => (await of.call(session.GET)).body.notice;

    expect(await noticeOf(user)).toBeNull();
    expect(await noticeOf(other)).toMatchObject({
      type: "passkey_added",
      name: "Phone",
      device: "Chrome on Windows",
      address: "203.0.113.7",
    });
    expect((await other.call(notice.DELETE, { method: "DELETE" })).status).toBe(204);
    expect(await noticeOf(other)).toBeNull();
    expect(await noticeOf(third)).toMatchObject({ type: "passkey_added" });
  });

  test.each([
    ["http://dashboard.example.com", "https://"],
    ["https://192.0.2.7", "host name"],
    ["http://[::1]:3000", "host name"],
  ])("at %s says why not, and what to do", async (url, advice) => {
    process.env.DASHBOARD_URL = url;
    try {
      const elsewhere = await user.signInAgain();
      const answer = await elsewhere.call(options.POST, { method: "POST" });
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 2011 } } });
      expect(answer.body.error.message).toContain(advice);
      expect((await elsewhere.call(ownPasskeys.GET)).body.blocker).toContain("DASHBOARD_URL");
    } finally {
      process.env.DASHBOARD_URL = URL_WITH_PASSKEYS;
    }
  });
});

describe("confirming", () => {
  test("a passkey is a fresh proof of identity", async () => {
    const { device } = await addPasskey(user);
    await expireProof(user);
    expect((await user.call(session.GET)).body.has_fresh_proof).toBe(false);

    expect((await confirmWith(user, device)).status).toBe(204);

    expect((await user.call(session.GET)).body).toMatchObject({ has_fresh_proof: true, method: "passkey" });
    expect((await audits()).at(-1)).toEqual(["user.identity_confirmed", { method: "passkey" }]);
  });

  test("another person's passkey is not, and five failures have to wait", async () => {
    const other = await signInAs(account, "viewer");
    const { device: theirs } = await addPasskey(other);
    await addPasskey(user);
    await expireProof(user);

    for (let n = 0; n < 5; n++) expect((await confirmWith(user, theirs)).status).toBe(400);

    expect((await confirmWith(user, theirs)).status).toBe(429);
    expect((await user.call(session.GET)).body.has_fresh_proof).toBe(false);
  });

  test("a signature confirms once", async () => {
    const { device } = await addPasskey(user);
    const { POST } = await import("@/app/api/session/proof/passkey/options/route");
    const asked = await user.call(POST, { method: "POST" });
    const assertion = device.sign(requestOf(asked.body.challenge));
    const confirm = () => user.call(proof.POST, { method: "POST", body: { assertion } });

    const both = await Promise.all([confirm(), confirm()]);

    expect(both.map(({ status }) => status).sort()).toEqual([204, 400]);
  });
});

describe("changing", () => {
  test("a rename is audited with both names, and another person's passkey is unknown", async () => {
    const { answer } = await addPasskey(user);
    const passkeyId = answer.body.id;
    const other = await signInAs(account, "viewer");
    const rename = (by: DashboardUser) =>
      by.call(ownPasskey.PATCH, { method: "PATCH", params: { passkeyId }, body: { name: "Laptop" } });

    expect((await rename(other)).status).toBe(404);
    expect((await rename(user)).status).toBe(204);

    expect((await list())[0].name).toBe("Laptop");
    expect((await audits()).at(-1)).toEqual([
      "user.passkey_renamed",
      { passkey: passkeyId, name: { from: "Phone", to: "Laptop" } },
    ]);
  });

  test("a removed passkey no longer signs in, and the other sessions show it", async () => {
    await transaction(async (tx) => setPassword(tx, user.id, await hashPassword(PASSWORD)));
    user = await user.signInAgain();
    const other = await user.signInAgain();
    const { device, answer } = await addPasskey(user);

    expect((await remove(answer.body.id)).status).toBe(204);

    expect(await signInWith(device)).toEqual({ outcome: "unknown" });
    expect((await other.call(session.GET)).body.notice).toMatchObject({
      type: "passkey_removed",
      name: "Phone",
    });
  });

  test("the last passkey stays while it is the only way to sign in, also for two removals at once", async () => {
    const first = await addPasskey(user);
    const second = await addPasskey(user);

    const both = await Promise.all([remove(first.answer.body.id), remove(second.answer.body.id)]);

    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await list()).toHaveLength(1);
  });

  test("a password can be removed only with a passkey in use, and then a password no longer signs in", async () => {
    await transaction(async (tx) => setPassword(tx, user.id, await hashPassword(PASSWORD)));
    user = await user.signInAgain();
    const { email } = await prisma().user.findUniqueOrThrow({ where: { id: user.id } });
    const removePassword = (by = user) => by.call(password.DELETE, { method: "DELETE" });

    expect((await removePassword()).status).toBe(409);
    const { device, answer } = await addPasskey(user);
    const withPassword = await user.signInAgain();
    expect((await removePassword(withPassword)).headers.get("x-proof-required")).toBe("passkey");
    expect((await removePassword()).status).toBe(204);

    expect((await signIn(email, PASSWORD)).outcome).toBe("refused");
    expect((await signInWith(device)).outcome).toBe("signed_in");
    expect((await remove(answer.body.id)).status).toBe(409);
  });

  test("an admin removes a person's passkeys, which ends the sessions, but not those of a shared person", async () => {
    const admin = await signInAs(account, "admin");
    const { device } = await addPasskey(user);
    const clear = () => admin.call(personPasskeys.DELETE, { method: "DELETE", params: { userId: user.id } });
    const { email } = await prisma().user.findUniqueOrThrow({ where: { id: user.id } });

    expect((await clear()).status).toBe(204);
    expect((await user.call(session.GET)).status).toBe(401);
    expect((await signInWith(device)).outcome).toBe("unknown");
    expect((await audits()).at(-1)).toEqual(["user.passkeys_removed", { count: 1 }]);

    const elsewhere = await createPartner("Elsewhere");
    await createUser({ partnerId: elsewhere.id, email, name: "Shared", role: "viewer" });
    expect((await clear()).status).toBe(403);
  });
});
