import "@/lib/testing/use-test-database";
import { beforeAll, expect, test } from "vitest";
import * as eventStream from "@/app/api/events/stream/route";
import * as proof from "@/app/api/session/proof/route";
import * as session from "@/app/api/session/route";
import * as tokens from "@/app/api/tokens/route";
import { setPassword } from "@/lib/identity/passwords/set-password";
import { endSessions } from "@/lib/identity/sessions/end-sessions";
import { findSession } from "@/lib/identity/sessions/find-session";
import { recordSignOut } from "@/lib/identity/sessions/record-sign-out";
import { hashPassword } from "@/lib/identity/sign-in/hash-password";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { dashboardUrl } from "@/lib/platform/env";
import { parseCookies } from "@/lib/runtime/http/parse-cookies";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { explainPlans } from "@/lib/testing/database/explain-plan";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const PASSWORD = "correct horse battery";
let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

async function statusOf(user: DashboardUser): Promise<number> {
  return (await user.call(session.GET)).status;
}

async function sessionOf(user: DashboardUser) {
  return prisma().session.findFirstOrThrow({ where: { userId: user.id } });
}

/** Moves a session's times into the past. */
async function age(user: DashboardUser, times: { created?: string; seen?: string; proved?: string }) {
  await sql.runText({
    text: `update sessions set created_at = now() - $2::interval, last_seen_at = now() - $3::interval,
             proved_at = now() - $4::interval where user_id = $1`,
    values: [user.id, times.created ?? "0", times.seen ?? "0", times.proved ?? "0"],
  });
}

test("a cookie replayed after the sign-out is refused", async () => {
  const user = await signInAs(account, "admin");
  expect(await statusOf(user)).toBe(200);

  const { id } = await sessionOf(user);
  await recordSignOut(id, { id: user.id, name: "A admin", email: "admin@example.com" });

  expect(await statusOf(user)).toBe(401);
});

test.each([
  ["of 11 hours in use", { created: "11 hours", seen: "119 minutes" }, 200],
  ["older than 12 hours", { created: "12 hours", seen: "1 minute" }, 401],
  ["unused for 2 hours", { created: "3 hours", seen: "2 hours" }, 401],
])("a session %s", async (_, times, status) => {
  const user = await signInAs(account, "viewer");
  await age(user, times);

  expect(await statusOf(user)).toBe(status);
});

test("a check is one statement read from an index, and use is written once a minute", async () => {
  const user = await signInAs(account, "viewer");
  const plans = await explainPlans(() => user.call(session.GET));
  expect(plans[0]).toContain("sessions_pkey");
  for (const plan of plans) expect(plan).not.toContain("Seq Scan");
  await age(user, { seen: "61 seconds" });

  const cookies = parseCookies(user.cookie);
  const check = () => countStatements(() => findSession((name) => cookies.get(name)));

  expect([await check(), await check(), await check()]).toEqual([2, 1, 1]);
});

test("the secret of a session is nowhere in the database", async () => {
  const user = await signInAs(account, "viewer");
  const row = await sessionOf(user);

  expect(Object.keys(row)).not.toContain("token");
  expect(row.tokenHash).toHaveLength(32);
});

test.each([
  [
    "sign-out",
    async (user: DashboardUser) =>
      recordSignOut((await sessionOf(user)).id, { id: user.id, name: "A", email: "a@b.c" }),
  ],
  [
    "a new password",
    (user: DashboardUser) =>
      transaction(async (tx) => setPassword(tx, user.id, await hashPassword(PASSWORD))),
  ],
  ["the end of all sessions", (user: DashboardUser) => transaction((tx) => endSessions(tx, user.id))],
  [
    "another process, whose wake-up was lost,",
    (user: DashboardUser) => prisma().session.deleteMany({ where: { userId: user.id } }),
  ],
])("%s ends an open event stream", async (_, end) => {
  const user = await signInAs(account, "viewer");
  const origin = new URL(dashboardUrl()).origin;
  const request = new Request(`${origin}/api/events/stream`, { headers: { cookie: user.cookie } });
  const response = await eventStream.GET(request, { params: Promise.resolve({}) });
  expect(response.status).toBe(200);

  await end(user);

  // The stream ends with an error event that gives the reason.
  await expect(new Response(response.body).text()).resolves.toMatch(/event: error\ndata: .*2004/);
});

test("creating a token needs a fresh proof of identity, which the password gives", async () => {
  const user = await signInAs(account, "admin");
  await transaction(async (tx) => setPassword(tx, user.id, await hashPassword(PASSWORD)));
  const again = await user.signInAgain();
  await age(again, { proved: "10 minutes" });
  const create = () => again.call(tokens.POST, { method: "POST", body: { name: "CI" } });

  const refused = await create();
  expect([refused.status, refused.body.error.code]).toEqual([403, 2005]);
  expect(refused.headers.get("x-proof-required")).toBe("required");

  const wrong = await again.call(proof.POST, { method: "POST", body: { password: "wrong" } });
  expect([wrong.status, wrong.headers.get("x-proof-required")]).toEqual([403, null]);
  expect((await create()).status).toBe(403);

  const proved = await again.call(proof.POST, { method: "POST", body: { password: PASSWORD } });
  expect(proved.status).toBe(204);
  expect((await create()).status).toBe(201);
});

test("after five wrong passwords a proof has to wait, and only in this session", async () => {
  const user = await signInAs(account, "admin");
  await transaction(async (tx) => setPassword(tx, user.id, await hashPassword(PASSWORD)));
  const thief = await user.signInAgain();
  const prove = (who: DashboardUser, password: string) =>
    who.call(proof.POST, { method: "POST", body: { password } });
  for (let attempt = 0; attempt < 5; attempt++) expect((await prove(thief, "wrong")).status).toBe(403);

  expect((await prove(thief, PASSWORD)).status).toBe(429);
  expect((await prove(await user.signInAgain(), PASSWORD)).status).toBe(204);
});
