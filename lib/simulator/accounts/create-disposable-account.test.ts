import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { createToken } from "@/lib/identity/tokens/create-token";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { lineNumbers, MAGIC_AREA, phoneRange } from "@/lib/simulator/lines/fictional-numbers";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";

const FICTIONAL = /^\+1[2-9][0-8]\d55501\d\d$/;

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

const create = (body?: object) => callApi("POST /simulator/accounts", { token: account.token, body });

test("an instance with 500 disposable accounts refuses to create another", async () => {
  await sql.runText({
    text: `insert into accounts (id, partner_id, name, type, checkout_clip, created_at, disposable_until)
           select gen_random_uuid(), $1, 'Full ' || n, 'sandbox', 'active', now(), now() + interval '1 hour'
           from generate_series(1, 500) n`,
    values: [account.ref.partnerId],
  });
  const { status, body, headers } = await create();
  expect([status, body.error.code, headers.get("x-should-retry")]).toEqual([429, 1007, "false"]);
  await sql.runText({ text: "delete from accounts where name like 'Full %'" });
  expect((await create()).status).toBe(201);
});

test("a new account has a partner, a full token and lines of its own, and no daily limit", async () => {
  const { status, body } = await create({ name: "Checkout tests", lines: 2 });
  expect(status).toBe(201);
  expect(body.lines).toHaveLength(2);
  for (const line of body.lines) expect(line).toMatch(FICTIONAL);
  expect(body.phones.from).toMatch(FICTIONAL);

  const { token } = body;
  const phone = body.phones.from;
  expect((await callApi("POST /simulator/phones", { token, body: { handle: phone } })).status).toBe(201);
  const text = { to: body.lines[1], text: "hi" };
  expect((await callApi(`POST /simulator/phones/${phone}/messages`, { token, body: text })).status).toBe(201);
  expect((await callApi("GET /v3/chats", { token })).body.chats).toHaveLength(1);
  expect((await callApi("GET /v3/chats", { token: account.token })).body.chats).toEqual([]);

  const row = await prisma().account.findUniqueOrThrow({ where: { id: body.account_id } });
  expect(row).toMatchObject({ name: "Checkout tests", type: "sandbox", dailyMessages: null });
  expect(row.partnerId).not.toBe(account.ref.partnerId);
  expect(row.disposableUntil?.toISOString()).toBe(body.deleted_at);
});

test("without a body an account has one line, and the caller's audit log names the account", async () => {
  const { status, body } = await create();
  expect([status, body.lines.length]).toEqual([201, 1]);
  const entry = await prisma().auditEntry.findFirst({
    where: { accountId: account.ref.id, action: "disposable_account.created", objectId: body.account_id },
  });
  expect(entry).toMatchObject({ actorType: "api" });
});

test("accounts that are created at the same time have different lines", async () => {
  const created = await Promise.all(Array.from({ length: 8 }, () => create({ lines: 3, seed: "race" })));
  expect(created.map(({ status }) => status)).toEqual(Array(8).fill(201));
  const lines = created.flatMap(({ body }) => body.lines);
  expect(new Set(lines).size).toBe(24);
  expect(new Set(created.map(({ body }) => body.account_id)).size).toBe(8);
});

test("accounts that wait for another hold no connection of the hot pool, and too many must wait longer", async () => {
  let waiting: ReturnType<typeof create>[] = [];
  await transaction(async (tx) => {
    await tx.runText({ text: "select pg_advisory_xact_lock(hashtext('disposable accounts'))" });
    waiting = Array.from({ length: 110 }, () => create({ lines: 0 }));
    await untilLocked();
    const beside = Array.from({ length: 30 }, () =>
      callApi("GET /v3/phone_numbers", { token: account.token }),
    );
    expect((await Promise.all(beside)).map(({ status }) => status)).toEqual(Array(30).fill(200));
  });
  const answers = await Promise.all(waiting);
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(101).fill(201), ...Array(9).fill(429)]);
  const rejected = answers.find(({ status }) => status === 429);
  expect(Number(rejected?.headers.get("retry-after"))).toBeGreaterThan(0);
  await sql.runText({ text: "delete from accounts where disposable_until is not null" });
});

test("an account whose reset waits delays no account that is created", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  let ended = 0;
  const reset = () => callApi("POST /simulator/reset", { token: other.token }).finally(() => ended++);
  const resets = await transaction(async (tx) => {
    await tx.runText({
      text: "select pg_advisory_xact_lock(hashtext($1))",
      values: [`state of ${other.ref.id}`],
    });
    const waiting = Array.from({ length: 3 }, reset);
    await untilLocked();
    expect([(await create({ lines: 0 })).status, ended]).toEqual([201, 0]);
    return waiting;
  });
  expect((await Promise.all(resets)).map(({ status }) => status)).not.toContain(429);
});

test("a seed determines the id and the numbers, and never the token", async () => {
  const first = (await create({ lines: 2, seed: "run 7" })).body;
  // As on a fresh instance.
  await sql.runText({ text: "delete from accounts where id = $1", values: [first.account_id] });
  const again = (await create({ lines: 2, seed: "run 7" })).body;
  const { token, deleted_at, ...same } = first;
  expect(again).toMatchObject(same);
  expect(again.token).not.toBe(token);
});

test.each([[{ lines: 21 }], [{ lines: -1 }], [{ name: "" }], [{ seed: "" }], [{ lines: "two" }]])(
  "%j is refused",
  async (body) => {
    const { status, body: answer } = await create(body);
    expect([status, answer.error.code]).toEqual([400, 1005]);
  },
);

test("a restricted token can't create an account, because the new token has full access", async () => {
  const { token } = await createToken(account.context(), { name: "narrow", scopes: ["messaging"] });
  const answer = await callApi("POST /simulator/accounts", { token });
  expect([answer.status, answer.body.error.code]).toEqual([403, 2005]);
});

test("a production account can't create accounts", async () => {
  const production = await createTestAccount({ type: "production" });
  const answer = await callApi("POST /simulator/accounts", { token: production.token });
  expect([answer.status, answer.body.error.code]).toEqual([403, 2011]);
});

test("line numbers visit each fictional number once, apart from those of phones and magic handles", () => {
  const numbers = [...lineNumbers(null)];
  expect(new Set(numbers).size).toBe(numbers.length);
  const areas = new Set(numbers.map((number) => number.slice(2, 5)));
  expect(areas).not.toContain(MAGIC_AREA);
  for (let seed = 0; seed < 500; seed++) expect(areas).not.toContain(phoneRange(`${seed}`).from.slice(2, 5));
});
