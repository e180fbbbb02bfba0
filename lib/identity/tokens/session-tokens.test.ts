import "@/lib/testing/use-test-database";

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { privateRoutes } from "@/.generated/private-route-table";
import { routes } from "@/.generated/route-table";
import { POST as createRoute } from "@/app/api/explorer/token/route";
import { GET as valuesRoute } from "@/app/api/explorer/values/route";
import { DELETE as signOut } from "@/app/api/session/route";
import { PATCH as updateRoute } from "@/app/api/tokens/[tokenId]/route";
import { GET as listRoute, POST as newTokenRoute } from "@/app/api/tokens/route";
import { POST as blockRoute } from "@/app/v3/blocked_handles/route";
import { setMemberRole } from "@/lib/identity/people/change-role";
import { createToken as createApiToken } from "@/lib/identity/tokens/create-token";
import { expireTokens } from "@/lib/identity/tokens/expire-tokens";
import { partnerChangeOf } from "@/lib/identity/users/partner-change";
import type { Role } from "@/lib/platform/context";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { dashboardUrl } from "@/lib/platform/env";
import { roleHasRight } from "@/lib/platform/rights/role-rights";
import { setClock } from "@/lib/platform/time/clock";
import type { Route } from "@/lib/runtime/http/endpoint";
import { sweepLeftovers } from "@/lib/runtime/jobs/sweep-leftovers";
import { operationsOf } from "@/lib/runtime/openapi/operations";
import { type ApiAnswer, callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, untilStatus, writeAs } from "@/lib/testing/factories";
import {
  connectCustomer,
  createCustomer,
  readPhoneTexts,
  requestCode,
  startSending,
} from "@/lib/testing/payments/connect-customer";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const MINUTE_MS = 60_000;
const UNKNOWN_ID = "01a00000-0000-7000-8000-000000000000";
const PEOPLE: readonly { role: Role; isOperator: boolean }[] = [
  { role: "viewer", isOperator: false },
  { role: "support", isOperator: false },
  { role: "developer", isOperator: false },
  { role: "admin", isOperator: false },
  { role: "viewer", isOperator: true },
];
const dashboardOperations = privateRoutes.flatMap(({ path, methods }) =>
  Object.entries(methods).flatMap(([method, route]) => {
    const { contract } = route as Route;
    return contract === undefined ? [] : [{ method, path, contract, route: route as Route }];
  }),
);

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(() => setClock(null));

async function createToken(user: DashboardUser): Promise<string> {
  const { status, body } = await user.call(createRoute, { method: "POST" });
  expect(status).toBe(201);
  return body.token;
}

async function statusOf(token: string): Promise<number> {
  return (await callApi("GET /v3/phone_numbers", { token })).status;
}

function storedTokens(user: DashboardUser) {
  return prisma().apiToken.findMany({ where: { createdBy: user.id }, orderBy: { id: "asc" } });
}

test("a token of the explorer works for 15 minutes, and the audit trail names its user and session", async () => {
  const user = await signInAs(account, "developer");
  const token = await createToken(user);
  expect(await statusOf(token)).toBe(200);

  const [stored] = await storedTokens(user);
  expect(stored).toMatchObject({ name: "API explorer", role: "developer", accountId: account.ref.id });
  const entry = await prisma().auditEntry.findFirstOrThrow({ where: { objectId: stored?.id ?? "" } });
  expect(entry).toMatchObject({ action: "api_token.created", actorType: "user", actorId: user.id });
  expect(entry.detail).toMatchObject({ session_id: stored?.sessionId, role: "developer" });

  setClock({ offsetMs: 14 * MINUTE_MS, frozenAt: null });
  expect(await statusOf(token)).toBe(200);
  setClock({ offsetMs: 16 * MINUTE_MS, frozenAt: null });
  expect(await statusOf(token)).toBe(401);
});

test("signing out ends the tokens of the session, and no others", async () => {
  const user = await signInAs(account, "admin");
  const other = await user.signInAgain();
  const [token, kept] = [await createToken(user), await createToken(other)];

  const { origin } = new URL(dashboardUrl());
  const headers = { cookie: user.cookie, origin };
  const request = new Request(`${origin}/api/session`, { method: "DELETE", headers });
  expect((await signOut(request, { params: Promise.resolve({}) })).status).toBe(204);

  expect(await statusOf(token)).toBe(401);
  expect(await statusOf(kept)).toBe(200);
});

test("a changed role ends the tokens of the user", async () => {
  const user = await signInAs(account, "admin");
  const token = await createToken(user);
  await transaction((tx) =>
    setMemberRole(tx, partnerChangeOf(account.context()), { userId: user.id, role: "viewer" }),
  );
  expect(await statusOf(token)).toBe(401);
});

test("programs never learn of these tokens: no list, no change, no event, no notice", async () => {
  const user = await signInAs(account, "admin");
  await createToken(user);
  const [stored] = await storedTokens(user);
  const id = stored?.id ?? "";
  const { body } = await user.call(listRoute);
  expect(body.tokens.map((token: { id: string }) => token.id)).not.toContain(id);
  const change = { method: "PATCH", params: { tokenId: id }, body: { expires_in_days: null } } as const;
  expect((await user.call(updateRoute, change)).status).toBe(404);

  setClock({ offsetMs: 20 * MINUTE_MS, frozenAt: null });
  await expireTokens(new AbortController().signal);
  const events = await prisma().event.findMany({
    where: { accountId: account.ref.id, data: { path: ["api_token", "id"], equals: id } },
  });
  expect(events).toEqual([]);
  expect(await prisma().accountNotice.findMany({ where: { objectId: id } })).toEqual([]);
});

test("an expired token is deleted after 90 days, and tokens of programs are kept", async () => {
  const user = await signInAs(account, "admin");
  await createToken(user);
  setClock({ offsetMs: 91 * 24 * 60 * MINUTE_MS, frozenAt: null });
  await sweepLeftovers(new AbortController().signal);
  expect(await storedTokens(user)).toEqual([]);
  expect(await statusOf(account.token)).toBe(200);
});

const programOperations = operationsOf(routes).filter(
  ({ path }) => /^\/(v3|simulator)\//.test(path) && !path.endsWith("/stream"),
);

function pathOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => (name.endsWith("Id") ? UNKNOWN_ID : "+15550199999"));
}

describe.each(PEOPLE)("a token of a user with the role $role, operator: $isOperator", (who) => {
  test("can call the operations that the user can call, and no others", async () => {
    const user = await signInAs(account, who.role, who);
    const token = await createToken(user);
    const wrong: string[] = [];
    expect(programOperations.length).toBeGreaterThan(80);
    for (const { method, path, contract } of programOperations) {
      const body = method === "GET" ? undefined : {};
      const answer = await callApi(`${method} ${pathOf(path)}`, { token, body });
      const isRefused = answer.status === 403 && answer.body?.error.code === 2005;
      const isAllowed = contract.right !== undefined && roleHasRight(who, contract.right);
      if (isRefused === isAllowed) wrong.push(`${method} ${path} ${answer.status}`);
    }
    expect(wrong).toEqual([]);
  });

  test("gets the answers that the user gets in the dashboard", async () => {
    const user = await signInAs(account, who.role, who);
    const token = await createToken(user);
    const twins = programOperations.flatMap((operation) => {
      const twin = dashboardOperations.find(
        ({ method, contract }) =>
          method === operation.method &&
          contract.summary === operation.contract.summary &&
          contract.tag === operation.contract.tag,
      );
      return twin === undefined ? [] : [{ ...operation, route: twin.route }];
    });
    expect(twins.length).toBeGreaterThan(40);
    const different: unknown[] = [];
    for (const { method, path, route } of twins) {
      const params = Object.fromEntries(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, pathOf(`{${name}}`)]),
      );
      const body = method === "GET" ? undefined : {};
      const outcome = ({ status, body: answer }: ApiAnswer) => [status, answer?.error?.code];
      const overToken = outcome(await callApi(`${method} ${pathOf(path)}`, { token, body }));
      const overSession = outcome(await user.call(route, { method: method as "POST", params, body }));
      if (String(overToken) !== String(overSession)) different.push([method, path, overToken, overSession]);
    }
    expect(different).toEqual([]);
  });
});

test("a token ends with the session's time, with the user's access and with the user's role", async () => {
  const [idle, removed, changed] = await Promise.all(
    Array.from({ length: 3 }, () => signInAs(account, "admin")),
  );
  const users = [idle, removed, changed].map((user) => user as DashboardUser);
  const tokens = await Promise.all(users.map(createToken));
  expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200, 200]);

  const ids = users.map(({ id }) => id);
  await sql.runText({
    text: "update sessions set last_seen_at = now() - interval '30 days' where user_id = $1",
    values: [ids[0]],
  });
  await sql.runText({ text: "delete from memberships where user_id = $1", values: [ids[1]] });
  await sql.runText({ text: "update memberships set role = 'viewer' where user_id = $1", values: [ids[2]] });

  expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 401, 401]);
});

test("a change by an explorer's token is audited as a change by its user", async () => {
  const user = await signInAs(account, "support");
  const token = await createToken(user);
  const handle = "+15550100777";
  expect((await callApi("POST /v3/blocked_handles", { token, body: { handle } })).status).toBe(200);
  const entry = await prisma().auditEntry.findFirstOrThrow({
    where: { accountId: account.ref.id, objectId: handle },
  });
  expect(entry).toMatchObject({ actorType: "user", actorId: user.id });
});

test("a stale session gets no signing secret over a token until its user confirms their identity", async () => {
  const user = await signInAs(account, "admin");
  const token = await createToken(user);
  const prove = (when: string) =>
    sql.runText({ text: `update sessions set proved_at = ${when} where user_id = $1`, values: [user.id] });
  const subscribe = () =>
    callApi("POST /v3/webhook-subscriptions", {
      token,
      body: { target_url: "https://example.com/stale", subscribed_events: ["message.sent"] },
    });

  await prove("now() - interval '11 minutes'");
  const stale = await subscribe();
  expect([stale.status, stale.body.error.code]).toEqual([403, 2005]);
  expect(stale.headers.get("x-proof-required")).toBe("required");
  await prove("now()");
  expect((await subscribe()).body.signing_secret).toMatch(/^whsec_/);
});

test.each(["viewer", "admin"] as const)("a disposable account is not for a token of a %s", async (role) => {
  const token = await createToken(await signInAs(account, role));
  const { status, body } = await callApi("POST /simulator/accounts", { token });
  expect([status, body.error.code]).toEqual([403, 2005]);
});

describe("what lets a reader act as a customer who pays", () => {
  let stopSending: () => Promise<void>;
  let payer: TestAccount;
  let handle: string;
  let link: string;
  let codePhone: string;

  beforeAll(async () => {
    payer = await createTestAccount({ type: "sandbox" });
    stopSending = startSending();
    handle = await connectCustomer(payer);
    const payment = { amount_cents: 4200, currency: "usd", handle };
    const { body } = await callApi("POST /v3/payments", { token: payer.token, body: payment });
    link = body.attach_url;
    const { messageId } = await payer.sendFirst(handle, { parts: [{ type: "text", value: `Open ${link}` }] });
    await untilStatus(payer, messageId, "delivered");
    codePhone = await createCustomer(payer);
    await requestCode(payer, codePhone);
  });

  afterAll(() => stopSending());

  /** Every answer that contains messages of the two phones. */
  async function readAll(token: string): Promise<string> {
    const paths = [
      `/simulator/phones/${codePhone}/messages`,
      `/simulator/phones/${handle}/messages`,
      `/simulator/outbox?to=${encodeURIComponent(codePhone)}`,
      `/simulator/outbox?to=${encodeURIComponent(handle)}`,
      "/simulator/events?type=message.sent,payment.authorized",
      `/v3/chats?to=${encodeURIComponent(handle)}`,
    ];
    const answers = await Promise.all(paths.map((path) => callApi(`GET ${path}`, { token })));
    return answers
      .filter(({ status }) => status === 200)
      .map(({ body }) => JSON.stringify(body))
      .join("\n");
  }

  const CODE = /\d{6} is your code/;
  const secretOf = () => link.split("/").at(-1) ?? "";

  test.each([
    ["admin", true],
    ["developer", true],
    ["support", false],
    ["viewer", false],
  ] as const)("is shown to a token of an explorer of the role %s: %s", async (role, isShown) => {
    const text = await readAll(await createToken(await signInAs(payer, role)));
    expect([CODE.test(text), text.includes(secretOf())]).toEqual([isShown, isShown]);
    expect(text).toContain("is your code");
  });

  test.each([
    [["messaging"], false],
    [["read_only"], false],
    [["messaging", "payments"], true],
    [[], true],
  ] as const)("is shown on phones to a token with the scopes %j: %s", async (scopes, isShown) => {
    const { token } = await createApiToken(payer.context(), { name: "Phones", scopes: [...scopes] });
    const read = (path: string) => callApi(`GET ${path}`, { token });
    const phone = await read(`/simulator/phones/${codePhone}/messages`);
    const outbox = await read(`/simulator/outbox?to=${encodeURIComponent(codePhone)}`);
    expect([CODE.test(JSON.stringify(phone.body)), CODE.test(JSON.stringify(outbox.body))]).toEqual([
      isShown,
      isShown,
    ]);
    const [code = ""] = /\d{6}/.exec((await readPhoneTexts(codePhone))[0] ?? "") ?? [];
    // A part of the code that is longer than the number in the partner's name, which the message contains too.
    const searched = await read(
      `/simulator/outbox?to=${encodeURIComponent(codePhone)}&contains=${code.slice(0, 5)}`,
    );
    expect(searched.body.messages.length > 0).toBe(isShown);
  });
});

test.each([
  ["was removed", "delete from memberships where user_id = $1", 2005],
  ["was demoted", "update memberships set role = 'viewer' where user_id = $1", 2005],
  ["signed out", "delete from sessions where user_id = $1", 2004],
  ["needs another proof", "update sessions set proved_at = null where user_id = $1", 2005],
])("a request creates no token whose person %s while its body was sent", async (_, change, code) => {
  const user = await signInAs(account, "admin");
  const { origin } = new URL(dashboardUrl());
  const body = new ReadableStream(
    {
      async pull(controller) {
        await sql.runText({ text: change, values: [user.id] });
        await sleep(300);
        controller.enqueue(new TextEncoder().encode(JSON.stringify({ name: "Kept" })));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { cookie: user.cookie, origin, "content-type": "application/json" };
  const request = new Request(`${origin}/api/tokens`, {
    method: "POST",
    headers,
    body,
    duplex: "half",
  } as RequestInit);

  const answer = await newTokenRoute(request, { params: Promise.resolve({}) });

  expect((await answer.json()).error.code).toBe(code);
  expect(await prisma().apiToken.count({ where: { accountId: account.ref.id, name: "Kept" } })).toBe(0);
});

test("a request of the explorer counts once, also when its body takes long to arrive", async () => {
  const limited = await createTestAccount({ type: "sandbox" });
  const token = await createToken(await signInAs(limited, "admin"));
  const limit = {
    text: "update accounts set requests_per_minute = 2 where id = $1",
    values: [limited.ref.id],
  };
  await sql.runText(limit);
  setClock({ offsetMs: 0, frozenAt: new Date(Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS) });
  const statusOfBlock = async (delayMs: number) => {
    const body = new ReadableStream(
      {
        async pull(controller) {
          await sleep(delayMs);
          controller.enqueue(new TextEncoder().encode(JSON.stringify({ handle: "+15550100778" })));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const request = new Request(`${new URL(dashboardUrl()).origin}/v3/blocked_handles`, init);
    return (await blockRoute(request, { params: Promise.resolve({}) })).status;
  };
  expect([await statusOfBlock(0), await statusOfBlock(300), await statusOfBlock(0)]).toEqual([200, 200, 429]);
});

test("every operation of the API names the right that a token of the explorer needs", () => {
  const without = operationsOf(routes)
    .filter(({ path }) => path.startsWith("/v3/"))
    .filter(({ contract }) => contract.right === undefined)
    .map(({ method, path }) => `${method} ${path}`);
  expect(without).toEqual([]);
});

test("the explorer's values are the account's own line, phone and latest resources", async () => {
  const phone = await createTestPhone(account);
  await writeAs(account, phone, { to: account.line, text: "hello" });
  const { chatId, messageId } = await account.sendFirst(phone);
  const user = await signInAs(account, "viewer");
  const { status, body } = await user.call(valuesRoute);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    environment: "sandbox",
    line: account.line,
    phone,
    ids: { chatId, messageId, paymentRequestId: null },
  });
  const stranger = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
  expect((await stranger.call(valuesRoute)).body.ids.chatId).toBeNull();
});
