import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { EVENT_KINDS, EVENT_TYPES } from "@/lib/events/catalog/event-types";
import { unseal } from "@/lib/platform/crypto/crypto";
import { prisma, type Sql, sql, transaction } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { signingSecretContext } from "@/lib/webhooks/signing/signing-secrets";

const UNKNOWN_ID = "019ca9c2-4c00-7a31-8f00-2b6c1d4e5f60";

let ours: TestAccount;
let sandbox: TestAccount;
let theirs: TestAccount;
const MAX_SUBSCRIPTIONS = 500;
let counter = 0;

beforeAll(async () => {
  ours = await createTestAccount({ type: "production" });
  sandbox = await createTestAccount({ type: "sandbox" });
  theirs = await createTestAccount({ type: "production" });
});

function newTarget(): string {
  return `https://hooks.example.com/${++counter}`;
}

function create(body: object, account = ours) {
  return callApi("POST /v3/webhook-subscriptions", { token: account.token, body });
}

async function subscribed(fields: object = {}, account = ours) {
  const { body } = await create(
    { target_url: newTarget(), subscribed_events: ["message.sent"], ...fields },
    account,
  );
  return body as { id: string; target_url: string; signing_secret: string };
}

function change(id: string, body: unknown, account = ours) {
  return callApi(`PUT /v3/webhook-subscriptions/${id}`, { token: account.token, body });
}

function get(id: string, account = ours) {
  return callApi(`GET /v3/webhook-subscriptions/${id}`, { token: account.token });
}

describe("creating", () => {
  test("answers 201 with everything, and the secret only this once", async () => {
    const target_url = newTarget();
    const { status, body } = await create({
      target_url,
      subscribed_events: ["message.sent", "message.read", "message.sent"],
      phone_numbers: [ours.line],
      unknown_key: "ignored",
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      target_url,
      subscribed_events: ["message.sent", "message.read"],
      phone_numbers: [ours.line],
      is_active: true,
      routing_key_header: null,
      routing_id_header: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });

    const { signing_secret, ...shown } = body;
    expect((await get(body.id)).body).toEqual(shown);
    const { body: list } = await callApi("GET /v3/webhook-subscriptions", { token: ours.token });
    expect(list.subscriptions).toContainEqual(shown);
    const row = await prisma().webhookSubscription.findFirstOrThrow({ where: { id: body.id } });
    expect(Buffer.from(row.signingSecret).includes(signing_secret)).toBe(false);
    expect(unseal(row.signingSecret, signingSecretContext(row.accountId, row.id))).toBe(signing_secret);
  });

  test.each([
    ["omitted", {}],
    ["empty", { phone_numbers: [] }],
    ["null", { phone_numbers: null }],
  ])("phone_numbers %s means all lines", async (_what, fields) => {
    const { id } = await subscribed(fields);
    expect((await get(id)).body.phone_numbers).toBeNull();
  });

  test("every listed event can be subscribed to, and the list holds all of them", async () => {
    const { status, body } = await callApi("GET /v3/webhook-events", { token: ours.token });
    expect(status).toBe(200);
    expect(body).toEqual({
      events: EVENT_TYPES,
      catalog: EVENT_TYPES.map((type) => ({
        event_type: type,
        summary: expect.stringMatching(/\w/),
        reserved: EVENT_KINDS[type].neverSent,
        ...(EVENT_KINDS[type].isOptIn && { opt_in: true }),
      })),
      doc_url: expect.stringMatching(/^http.*\/guides\/webhooks\/events$/),
    });
    expect(body.events).toEqual(
      expect.arrayContaining(["poll.vote.added", "call.no_answer", "team_member.signed_out"]),
    );
    expect((await callApi("GET /v3/webhook_events", { token: ours.token })).body).toEqual(body);
    expect((await create({ target_url: newTarget(), subscribed_events: body.events })).status).toBe(201);
  });

  test("the version is fixed by the target or the day, and stays in the target", async () => {
    const versionOf = async (id: string) =>
      (await prisma().webhookSubscription.findFirst({ where: { id } }))?.version;
    const old = await subscribed({ target_url: `${newTarget()}?version=2025-01-01` });
    expect(await versionOf(old.id)).toBe("2025-01-01");
    expect(old.target_url).toMatch(/\?version=2025-01-01$/);
    expect(await versionOf((await subscribed()).id)).toBe("2026-02-03");

    setClock({ offsetMs: 0, frozenAt: new Date("2026-01-15T00:00:00Z") });
    const early = await subscribed();
    setClock(null);
    expect(await versionOf(early.id)).toBe("2025-01-01");
    await change(early.id, { target_url: `${newTarget()}?version=2026-02-03` });
    expect(await versionOf(early.id)).toBe("2026-02-03");
    await change(early.id, { target_url: newTarget() });
    expect(await versionOf(early.id)).toBe("2025-01-01");
  });
});

describe("refusals name what is wrong", () => {
  const events = ["message.sent"];

  test.each<[string, object, number, number, string]>([
    ["no target", { subscribed_events: events }, 400, 1001, "target_url"],
    ["no events", { target_url: "https://a.example/" }, 400, 1001, "subscribed_events"],
    [
      "an empty list of events",
      { target_url: "https://a.example/", subscribed_events: [] },
      400,
      1005,
      "subscribed_events",
    ],
    [
      "an unknown event",
      { target_url: "https://a.example/", subscribed_events: ["message.sent", "message.gone"] },
      400,
      1005,
      '"message.gone"',
    ],
    [
      "an internal event",
      { target_url: "https://a.example/", subscribed_events: ["message.accepted"] },
      400,
      1005,
      '"message.accepted"',
    ],
    ["plain http", { target_url: "http://a.example/", subscribed_events: events }, 400, 1005, "https"],
    ["no URL", { target_url: "a.example", subscribed_events: events }, 400, 1005, "not a URL"],
    [
      "a private target",
      { target_url: "https://10.0.0.1/", subscribed_events: events },
      400,
      1005,
      "public address",
    ],
    [
      "a metadata address",
      { target_url: "https://169.254.169.254/", subscribed_events: events },
      400,
      1005,
      "public address",
    ],
    [
      "an unknown version",
      { target_url: "https://a.example/?version=1", subscribed_events: events },
      400,
      1005,
      "2026-02-03",
    ],
    [
      "a number not in E.164",
      { target_url: "https://a.example/", subscribed_events: events, phone_numbers: ["555-1234"] },
      400,
      1002,
      "phone_numbers",
    ],
    [
      "an unknown number",
      { target_url: "https://a.example/", subscribed_events: events, phone_numbers: ["+15550000000"] },
      403,
      2006,
      "+15550000000",
    ],
  ])("%s", async (_what, body, status, code, words) => {
    const answer = await create(body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.body.error.message).toContain(words);
  });

  test("another account's line is rejected like an unknown line", async () => {
    const answer = await create({
      target_url: newTarget(),
      subscribed_events: events,
      phone_numbers: [theirs.line],
    });
    expect([answer.status, answer.body.error.code]).toEqual([403, 2006]);
  });

  test("the same target twice in an account, until the first is deleted", async () => {
    const first = await subscribed();
    const again = { target_url: first.target_url, subscribed_events: events };
    const conflict = await create(again);
    expect([conflict.status, conflict.body.error.code]).toEqual([409, 2015]);
    expect(conflict.body.error.message).toContain(first.target_url);
    expect(conflict.headers.get("x-should-retry")).toBe("false");
    expect((await create(again, theirs)).status).toBe(201);
    await callApi(`DELETE /v3/webhook-subscriptions/${first.id}`, { token: ours.token });
    expect((await create(again)).status).toBe(201);
  });

  test.each([
    ["host in capitals", (url: URL) => url.href.replace(url.host, url.host.toUpperCase())],
    ["default port", (url: URL) => url.href.replace(url.host, `${url.host}:443`)],
    ["fragment", (url: URL) => `${url.href}#top`],
    ["empty fragment", (url: URL) => `${url.href}#`],
    ["empty query", (url: URL) => `${url.href}?`],
    ["empty query and fragment", (url: URL) => `${url.href}?#`],
    ["dot segment", (url: URL) => url.href.replace(url.pathname, `/x/..${url.pathname}`)],
  ])("the same target with another %s is the same, also of a subscription that changes", async (_, vary) => {
    const first = await subscribed();
    const target_url = vary(new URL(first.target_url));
    expect(target_url).not.toBe(first.target_url);
    const conflict = await create({ target_url, subscribed_events: events });
    expect([conflict.status, conflict.body.error.code]).toEqual([409, 2015]);
    const other = await subscribed();
    expect((await change(other.id, { target_url })).body.error.code).toBe(2015);
    expect((await change(first.id, { target_url })).status).toBe(200);
    expect((await create({ target_url: `${first.target_url}?a`, subscribed_events: events })).status).toBe(
      201,
    );
  });

  test("twenty at once with one target make one subscription", async () => {
    const body = { target_url: newTarget(), subscribed_events: events };
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(body)));
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([201, ...Array(19).fill(409)]);
  });

  test("http to a named private host is for sandboxes only", async () => {
    const body = () => ({ target_url: `http://127.0.0.1:46400/${++counter}`, subscribed_events: events });
    expect((await create(body(), sandbox)).status).toBe(201);
    const refused = await create(body());
    expect([refused.status, refused.body.error.code]).toEqual([400, 1005]);
    const elsewhere = await create({ ...body(), target_url: "http://10.0.0.1/" }, sandbox);
    expect([elsewhere.status, elsewhere.body.error.code]).toEqual([400, 1005]);
  });
});

describe("changing", () => {
  test("an omitted field keeps its value", async () => {
    const { id, target_url } = await subscribed({ phone_numbers: [ours.line] });
    const paused = await change(id, { is_active: false });
    expect(paused.status).toBe(200);
    expect(paused.body).toMatchObject({ target_url, phone_numbers: [ours.line], is_active: false });
    expect(paused.body).not.toHaveProperty("signing_secret");
    const target = newTarget();
    expect(
      (await change(id, { target_url: target, subscribed_events: ["chat.created"] })).body,
    ).toMatchObject({
      target_url: target,
      subscribed_events: ["chat.created"],
      is_active: false,
    });
    expect((await change(id, { is_active: true })).body.is_active).toBe(true);
  });

  test.each([[[]], [null]])("phone_numbers %j removes the filter", async (phone_numbers) => {
    const { id } = await subscribed({ phone_numbers: [ours.line] });
    expect((await change(id, { phone_numbers })).body.phone_numbers).toBeNull();
  });

  test("a retry ladder is stored, kept by other changes and cleared by null", async () => {
    const retry_seconds = [10, 3600, 86_400, 86_400];
    const { id } = await subscribed({ retry_seconds });
    expect((await get(id)).body.retry_seconds).toEqual(retry_seconds);
    expect((await change(id, { is_active: false })).body.retry_seconds).toEqual(retry_seconds);
    expect((await change(id, { retry_seconds: [5] })).body.retry_seconds).toEqual([5]);
    expect((await change(id, { retry_seconds: null })).body).not.toHaveProperty("retry_seconds");
    expect(await subscribed({ retry_seconds: null })).not.toHaveProperty("retry_seconds");
  });

  test("the database accepts no subscription without a retry ladder", async () => {
    const { id } = await subscribed({});
    await expect(
      sql.runText({
        text: "update webhook_subscriptions set retry_seconds = null where id = $1",
        values: [id],
      }),
    ).rejects.toMatchObject({ code: "23502" });
  });

  test("the rate of automatic replays is shown only while it is set", async () => {
    const { id } = await subscribed({ auto_replay_per_second: 5 });
    expect((await get(id)).body.auto_replay_per_second).toBe(5);
    expect((await change(id, { auto_replay_per_second: null })).body).not.toHaveProperty(
      "auto_replay_per_second",
    );
  });

  test.each([
    ["no wait", []],
    ["a wait of no second", [0]],
    ["half a second", [0.5]],
    ["more than three days", [86_400, 86_400, 86_400, 1]],
    ["51 waits", Array(51).fill(1)],
    ["a text", "2,4,8"],
  ])("a retry ladder of %s is 400/1005 and changes nothing", async (_what, retry_seconds) => {
    const { id } = await subscribed({ retry_seconds: [5] });
    const refused = await change(id, { retry_seconds });
    expect([refused.status, refused.body.error.code]).toEqual([400, 1005]);
    const created = await create({
      target_url: newTarget(),
      subscribed_events: ["message.sent"],
      retry_seconds,
    });
    expect([created.status, created.body.error.code]).toEqual([400, 1005]);
    expect((await get(id)).body.retry_seconds).toEqual([5]);
  });

  test("two changes at once do not undo each other", async () => {
    const { id } = await subscribed();
    await Promise.all([
      change(id, { is_active: false }),
      change(id, { subscribed_events: ["chat.created"] }),
    ]);
    expect((await get(id)).body).toMatchObject({ is_active: false, subscribed_events: ["chat.created"] });
  });

  test("refuses what creating refuses", async () => {
    const { id } = await subscribed();
    const other = await subscribed();
    const codeOf = async (body: object) => (await change(id, body)).body.error.code;
    expect(await codeOf({ target_url: other.target_url })).toBe(2015);
    expect(await codeOf({ target_url: "http://a.example/" })).toBe(1005);
    expect(await codeOf({ subscribed_events: [] })).toBe(1005);
    expect(await codeOf({ phone_numbers: [theirs.line] })).toBe(2006);
    expect(await codeOf({ is_active: "no" })).toBe(1005);
  });
});

describe("whose it is", () => {
  const calls = ["GET", "PUT", "DELETE"] as const;

  test.each(calls)(
    "%s of another account's is 403/2005, of an unknown one 404/2010, of no UUID 400/1005",
    async (method) => {
      const { id } = await subscribed({}, theirs);
      const call = async (path: string) => {
        const body = method === "PUT" ? { is_active: false } : undefined;
        const answer = await callApi(`${method} /v3/webhook-subscriptions/${path}`, {
          token: ours.token,
          body,
        });
        return [answer.status, answer.body.error.code];
      };
      expect(await call(id)).toEqual([403, 2005]);
      expect(await call(UNKNOWN_ID)).toEqual([404, 2010]);
      expect(await call("17")).toEqual([400, 1005]);
      expect((await get(id, theirs)).body.is_active).toBe(true);
    },
  );

  test("a list holds the account's own only", async () => {
    const { id } = await subscribed({}, theirs);
    const { body } = await callApi("GET /v3/webhook-subscriptions", { token: ours.token });
    expect(body.subscriptions.map((subscription: { id: string }) => subscription.id)).not.toContain(id);
  });
});

describe("the list", () => {
  test("is whole without a limit, and comes in pages with a limit or a cursor, oldest first", async () => {
    const account = await createTestAccount({ type: "production" });
    const list = async (query: string) =>
      (await callApi(`GET /v3/webhook-subscriptions${query}`, { token: account.token })).body;
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await subscribed({}, account)).id);
    const idsOf = ({ subscriptions }: { subscriptions: { id: string }[] }) =>
      subscriptions.map(({ id }) => id);

    const whole = await list("");
    expect(idsOf(whole)).toEqual(ids);
    expect(whole).not.toHaveProperty("next_cursor");

    const first = await list("?limit=2");
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const last = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([idsOf(last), last.next_cursor]).toEqual([ids.slice(2), null]);
    expect(idsOf(await list(`?cursor=${first.next_cursor}`))).toEqual(ids.slice(2));
    for (const query of ["?limit=0", "?limit=101", "?limit=x", "?cursor=x"])
      expect((await list(query)).error.code).toBe(1005);
  });
});

test("an account gets as many subscriptions as the setting says, also when many ask at once", async () => {
  const account = await createTestAccount({ type: "production" });
  const { id: oldest } = await subscribed({}, account);
  const rest = MAX_SUBSCRIPTIONS - 1;
  await sql.runText({
    text: `insert into webhook_subscriptions
             (account_id, id, target_url, subscribed_events, phone_numbers, version, signing_secret, created_at, updated_at)
           select account_id, gen_random_uuid(), target_url || '/' || number, subscribed_events, phone_numbers, version,
             signing_secret, created_at, updated_at
           from webhook_subscriptions, generate_series(1, $2) number where id = $1`,
    values: [oldest, rest - 1],
  });
  const body = () => ({ target_url: newTarget(), subscribed_events: ["message.sent"] });

  const answers = await Promise.all(Array.from({ length: 5 }, () => create(body(), account)));

  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body.error).toMatchObject({ code: 2015, message: expect.stringContaining("500") });
  expect(refused?.headers.get("x-should-retry")).toBe("false");
  await callApi(`DELETE /v3/webhook-subscriptions/${oldest}`, { token: account.token });
  expect((await create(body(), account)).status).toBe(201);
});

test("a deleted subscription is gone for the API, its secret is wiped, and deleting again is 404", async () => {
  const { id } = await subscribed();
  const path = `DELETE /v3/webhook-subscriptions/${id}` as const;
  const deleted = await callApi(path, { token: ours.token });
  expect([deleted.status, deleted.body]).toEqual([204, null]);
  expect((await get(id)).status).toBe(404);
  expect((await callApi(path, { token: ours.token })).status).toBe(404);
  expect((await change(id, { is_active: true })).status).toBe(404);
  const row = await prisma().webhookSubscription.findFirstOrThrow({ where: { id } });
  expect([row.isActive, row.signingSecret.length]).toEqual([false, 0]);
});

test("deleting one and an event to all of them do not wait for each other", async () => {
  const account = await createTestAccount({ type: "production" });
  const subscribed_events = ["webhook_subscription.deleted"];
  const [ended, kept, first] = [
    await subscribed({ subscribed_events }, account),
    await subscribed({ subscribed_events }, account),
    await subscribed({}, account),
  ];
  // This event numbers a delivery for both subscriptions.
  await callApi(`DELETE /v3/webhook-subscriptions/${first.id}`, { token: account.token });
  const hold = (tx: Sql, id: string) =>
    tx.runText({ text: "select from webhook_sequences where subscription_id = $1 for update", values: [id] });

  const deletion = await transaction(async (tx) => {
    await hold(tx, ended.id);
    const deleting = callApi(`DELETE /v3/webhook-subscriptions/${ended.id}`, { token: account.token });
    await untilLocked();
    await hold(tx, kept.id);
    return { deleting };
  });

  expect((await deletion.deleting).status).toBe(204);
  const left = await prisma().webhookSequence.findMany({ where: { accountId: account.ref.id } });
  expect(left.map(({ subscriptionId }) => subscriptionId)).toEqual([kept.id]);
});

test("each write is audited, without secrets of the target's query", async () => {
  const { id } = await subscribed({ target_url: `${newTarget()}?key=hunter2` });
  await change(id, { is_active: false });
  await callApi(`DELETE /v3/webhook-subscriptions/${id}`, { token: ours.token });
  const entries = await prisma().auditEntry.findMany({ where: { objectId: id }, orderBy: { id: "asc" } });
  expect(entries.map((entry) => [entry.action, entry.actorType])).toEqual([
    ["webhook_subscription.created", "api"],
    ["webhook_subscription.updated", "api"],
    ["webhook_subscription.deleted", "api"],
  ]);
  expect(entries[1]?.detail).toEqual({ from: { is_active: true }, to: { is_active: false } });
  expect(JSON.stringify(entries.map((entry) => entry.detail))).not.toMatch(/hunter2|whsec_/);
});
