import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { disablePaymentProvider } from "@/lib/payments/card-providers/disable-payment-provider";
import { listHandleConnectionViews } from "@/lib/payments/connections/list-handle-connection-views";
import { sql } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { tablesWith } from "@/lib/testing/database/tables-with";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import {
  connectCustomer,
  createCustomer,
  readPhoneTexts,
  requestCode,
  startSending,
} from "@/lib/testing/payments/connect-customer";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let theirs: TestAccount;
let stopSending: () => Promise<void>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  theirs = await createTestAccount({ type: "sandbox" });
  stopSending = startSending();
});

afterEach(() => setClock(null));
afterAll(() => stopSending());

const call = (what: `${string} ${string}`, body?: unknown, by = account) =>
  callApi(what, { token: by.token, body });
const connectionOf = async (handle: string) =>
  (await call(`GET /v3/payments/handles/${handle}/connection`)).body.status;
const verify = (handle: string, code: string, connectId: string, by = account) =>
  call(`POST /v3/payments/handles/${handle}/verify`, { code, connect_id: connectId }, by);
const later = (minutes: number) => setClock({ offsetMs: minutes * 60_000, frozenAt: null });
const wrong = (code: string) => (code === "000000" ? "000001" : "000000");

function eventsOf(type: string, handle: string) {
  return sql.runText<{ data: Record<string, string> }>({
    text: "select data from events where account_id = $1 and type = $2 and data->>'handle' = $3",
    values: [account.ref.id, type, handle],
  });
}

async function expectRefused(answer: ReturnType<typeof verify>, message: RegExp): Promise<void> {
  const { status, body } = await answer;
  expect([status, body.error.code]).toEqual([400, 1005]);
  expect(body.error.message).toMatch(message);
}

describe("connecting a customer", () => {
  test("a code comes through the thread, verify with it connects, and connection.created tells", async () => {
    const handle = await createCustomer(account);
    expect(await connectionOf(handle)).toBe("not_connected");

    const { connectId, code } = await requestCode(account, handle);
    expect(await connectionOf(handle)).toBe("pending");

    const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect((await verify(handle, typed, connectId)).body).toEqual({ handle, status: "connected" });
    expect(await connectionOf(handle)).toBe("connected");
    const [entry] = await sql.runText({
      text: "select action, object_type, detail from audit_entries where account_id = $1 and object_id = $2",
      values: [account.ref.id, handle],
    });
    expect(entry).toEqual({
      action: "handle_connection.connected",
      object_type: "handle_connection",
      detail: { provider: "servicecard" },
    });
    expect(await eventsOf("connection.created", handle)).toMatchObject([
      { data: { handle, provider: "servicecard", status: "connected" } },
    ]);
  });

  test("only the phone shows the code: the message, its events and the connection do not hold it", async () => {
    const handle = await createCustomer(account);
    const { connectId, code } = await requestCode(account, handle);
    const [message] = await sql.runText<{ parts: [{ value: string }] }>({
      text: `select m.parts from messages m join chats c on c.account_id = m.account_id and c.id = m.chat_id
             where m.account_id = $1 and c.recipient_handle = $2 and m.is_from_me`,
      values: [account.ref.id, handle],
    });
    expect(message?.parts[0].value).toMatch(/^•••••• is your code/);
    expect(await tablesWith(`${code} is your code`)).toEqual(["simulator_messages"]);
    expect(await tablesWith(connectId)).toEqual([]);
  });

  test("the thread the customer has is used, else a chat is opened on the account's line", async () => {
    const handle = await createTestPhone(account);
    const { chatId } = await writeAs(account, handle, { to: account.line, text: "hi" });
    await requestCode(account, handle);
    const chats = await sql.runText({
      text: "select id from chats where account_id = $1 and recipient_handle = $2",
      values: [account.ref.id, handle],
    });
    expect(chats).toEqual([{ id: chatId }]);

    const production = await createTestAccount({ type: "production" });
    expect(
      (await call("POST /v3/payments/handles/+16665559999/connect", undefined, production)).body.error.code,
    ).toBe(2011);
  });

  test("a connected handle gets no other code", async () => {
    const handle = await connectCustomer(account);
    const before = await readPhoneTexts(handle);
    const { body } = await call(`POST /v3/payments/handles/${handle}/connect`);
    expect(body).toEqual({ handle, status: "connected" });
    expect(await readPhoneTexts(handle)).toEqual(before);
  });

  test("an address in the path may be an email address, and + is never a space", async () => {
    const { body } = await call("GET /v3/payments/handles/Ada+pay@Example.com/connection");
    expect(body).toEqual({ handle: "ada+pay@example.com", status: "not_connected" });
    const encoded = await call("GET /v3/payments/handles/%2B16665550123/connection");
    expect(encoded.body.handle).toBe("+16665550123");
  });

  test("a path segment that is no handle is 400/1002", async () => {
    const { status, body } = await call("POST /v3/payments/handles/ada/connect");
    expect([status, body.error.code]).toEqual([400, 1002]);
  });

  test("a sandbox cannot ask a customer who never wrote, and stores nothing", async () => {
    const handle = await createTestPhone(account);
    const { status, body } = await call(`POST /v3/payments/handles/${handle}/connect`);
    expect([status, body.error.code]).toEqual([403, 2008]);
    expect(await connectionOf(handle)).toBe("not_connected");
  });

  test("a customer who opted out or is blocked is not asked", async () => {
    const handle = await createCustomer(account);
    await writeAs(account, handle, { to: account.line, text: "STOP" });
    const { status, body } = await call(`POST /v3/payments/handles/${handle}/connect`);
    expect([status, body.error.code]).toEqual([403, 2024]);

    const blocked = await createCustomer(account);
    await sql.runText({
      text: `insert into contacts (account_id, handle, blocked_at) values ($1, $2, now())
             on conflict (account_id, handle) do update set blocked_at = now()`,
      values: [account.ref.id, blocked],
    });
    const refused = await call(`POST /v3/payments/handles/${blocked}/connect`);
    expect([refused.status, refused.body.error.code]).toEqual([403, 2026]);
  });

  test("more than five codes an hour are 429/1007, and an hour later there is another", async () => {
    const handle = await createCustomer(account);
    for (let count = 0; count < 5; count++) await call(`POST /v3/payments/handles/${handle}/connect`);
    const { status, body } = await call(`POST /v3/payments/handles/${handle}/connect`);
    expect([status, body.error.code]).toEqual([429, 1007]);
    expect(body.error.retry_after).toBeGreaterThan(3000);
    later(61);
    expect((await call(`POST /v3/payments/handles/${handle}/connect`)).body.status).toBe("pending");
  });
});

describe("all codes of an account together", () => {
  const windowOf = async (own: TestAccount) =>
    (
      await sql.runText<{ codes_sent: number }>({
        text: "select codes_sent from one_time_code_windows where account_id = $1",
        values: [own.ref.id],
      })
    )[0]?.codes_sent;

  test("are at most CODES_PER_HOUR; one that was refused leaves nothing, and an hour later there are more", async () => {
    const own = await createTestAccount({ type: "sandbox" });
    const [first, second] = [await createCustomer(own), await createCustomer(own)];
    const connect = (handle: string) => call(`POST /v3/payments/handles/${handle}/connect`, undefined, own);
    await connect(first);
    expect(await windowOf(own)).toBe(1);
    await sql.runText({
      text: "update one_time_code_windows set codes_sent = $2 where account_id = $1",
      values: [own.ref.id, env().CODES_PER_HOUR],
    });
    const { status, body } = await connect(second);
    expect([status, body.error.code]).toEqual([429, 1007]);
    expect(body.error.retry_after).toBeGreaterThan(3000);
    const { body: untouched } = await call(`GET /v3/payments/handles/${second}/connection`, undefined, own);
    expect(untouched.status).toBe("not_connected");
    later(61);
    expect((await connect(second)).body.status).toBe("pending");
    expect(await windowOf(own)).toBe(1);
  });

  test("that come at once share what is left", async () => {
    const own = await createTestAccount({ type: "sandbox" });
    const handles = await Promise.all(Array.from({ length: 6 }, () => createCustomer(own)));
    await sql.runText({
      text: "insert into one_time_code_windows (account_id, codes_sent, started_at) values ($1, $2, now())",
      values: [own.ref.id, env().CODES_PER_HOUR - 2],
    });
    const answers = await Promise.all(
      handles.map((handle) => call(`POST /v3/payments/handles/${handle}/connect`, undefined, own)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });
});

describe("a code", () => {
  test("that is wrong is refused, counted, and changes nothing; after five not even the right one is good", async () => {
    const handle = await createCustomer(account);
    const { connectId, code } = await requestCode(account, handle);
    for (const left of [
      "4 attempts are",
      "3 attempts are",
      "2 attempts are",
      "1 attempt is",
      "0 attempts are",
    ]) {
      await expectRefused(verify(handle, wrong(code), connectId), new RegExp(left));
    }
    await expectRefused(verify(handle, code, connectId), /too many attempts/);
    expect(await connectionOf(handle)).toBe("pending");
    expect(await eventsOf("connection.created", handle)).toEqual([]);
  });

  test("expires after ten minutes", async () => {
    const handle = await createCustomer(account);
    const { connectId, code } = await requestCode(account, handle);
    later(10);
    await expectRefused(verify(handle, code, connectId), /expired/);
    expect(await connectionOf(handle)).toBe("pending");
  });

  test("is good once", async () => {
    const handle = await createCustomer(account);
    const { connectId, code } = await requestCode(account, handle);
    await verify(handle, code, connectId);
    await expectRefused(verify(handle, code, connectId), /used/);
    expect(await connectionOf(handle)).toBe("connected");
  });

  test("for another handle, or of another account, is refused", async () => {
    const [handle, other] = [await createCustomer(account), await createCustomer(account)];
    const { connectId, code } = await requestCode(account, handle);
    await requestCode(account, other);
    await expectRefused(verify(other, code, connectId), /connect_id/);
    await expectRefused(verify(handle, code, connectId, theirs), /connect_id/);
    await expectRefused(verify(handle, code, "connect_made_up"), /connect_id/);
    expect([await connectionOf(handle), await connectionOf(other)]).toEqual(["pending", "pending"]);
  });

  test("is invalid after another was sent", async () => {
    const handle = await createCustomer(account);
    const first = await requestCode(account, handle);
    const second = await requestCode(account, handle);
    await expectRefused(verify(handle, first.code, first.connectId), /expired, was already used/);
    expect((await verify(handle, second.code, second.connectId)).body.status).toBe("connected");
  });

  test("verified twenty times at once connects once", async () => {
    const handle = await createCustomer(account);
    const { connectId, code } = await requestCode(account, handle);
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(handle, code, connectId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await eventsOf("connection.created", handle)).toHaveLength(1);
  });

  test("guessed fifty times at once is tried five times", async () => {
    const handle = await createCustomer(account);
    const { connectId, code } = await requestCode(account, handle);
    const guesses = Array.from({ length: 50 }, (_, index) => String(index).padStart(6, "0"));
    await Promise.all(
      guesses.filter((guess) => guess !== code).map((guess) => verify(handle, guess, connectId)),
    );
    const [row] = await sql.runText({
      text: "select code_tries from handle_connections where account_id = $1 and handle = $2",
      values: [account.ref.id, handle],
    });
    expect(row).toEqual({ code_tries: 5 });
  });

  test("needs both fields", async () => {
    const handle = await createCustomer(account);
    const { status, body } = await call(`POST /v3/payments/handles/${handle}/verify`, { code: "123456" });
    expect([status, body.error.code]).toEqual([400, 1001]);
  });
});

describe("ending a connection", () => {
  test("revokes the grant with its event, once, and the handle can be connected again", async () => {
    const handle = await connectCustomer(account);
    const revoke = () => call(`DELETE /v3/payments/handles/${handle}/connection`);
    expect((await revoke()).body).toEqual({ handle, status: "revoked" });
    expect((await revoke()).body).toEqual({ handle, status: "revoked" });
    expect(await eventsOf("connection.revoked", handle)).toMatchObject([
      { data: { handle, provider: "servicecard", status: "revoked" } },
    ]);

    const { connectId, code } = await requestCode(account, handle);
    expect((await verify(handle, code, connectId)).body.status).toBe("connected");
  });

  test("ends a pending verification without an event; without one, nothing changes", async () => {
    const handle = await createCustomer(account);
    const revoke = () => call(`DELETE /v3/payments/handles/${handle}/connection`);
    expect((await revoke()).body.status).toBe("not_connected");
    const { connectId, code } = await requestCode(account, handle);
    expect((await revoke()).body.status).toBe("revoked");
    await expectRefused(verify(handle, code, connectId), /expired, was already used/);
    expect(await eventsOf("connection.revoked", handle)).toEqual([]);
  });
});

describe("a card provider", () => {
  const provider = async () => (await call("GET /v3/payments/providers/servicecard")).body;
  const connect = (body: object, by = account) =>
    call("POST /v3/payments/providers/servicecard/connect", body, by);

  test("that is ready in a sandbox stays ready when it is connected again", async () => {
    expect(await provider()).toEqual({ provider: "servicecard", status: "ready" });
    const { status, body } = await connect({ return_url: "https://example.com/back" });
    expect([status, body]).toEqual([200, { status: "ready" }]);
    expect((await provider()).status).toBe("ready");
  });

  test("goes by the name of public programs too, and is answered as ours", async () => {
    const { body } = await call("GET /v3/payments/providers/agentcard");
    expect(body).toEqual({ provider: "servicecard", status: "ready" });
    const connected = await call("POST /v3/payments/providers/agentcard/connect", {
      return_url: "https://example.com/back",
    });
    expect(connected.body).toEqual({ status: "ready" });
  });

  test("that was disconnected is onboarding once it is connected, and nothing is paid meanwhile", async () => {
    await disablePaymentProvider(account.context(), { params: { provider: "servicecard" } });
    const { body } = await connect({ return_url: "https://example.com/back?x=1" });
    expect(body).toMatchObject({ status: "pending", hosted_url: expect.stringContaining(body.session_id) });
    expect((await provider()).status).toBe("onboarding");
    const refused = await call("POST /v3/payments", {
      amount_cents: 1,
      currency: "usd",
      handle: "+16665550100",
    });
    expect([refused.status, refused.body.error.code]).toEqual([403, 2011]);
    await sql.runText({
      text: "delete from card_provider_accounts where account_id = $1",
      values: [account.ref.id],
    });
  });

  test("that does not exist is 404/1005, and the sandbox's is not for production", async () => {
    const unknown = await call("GET /v3/payments/providers/unknown");
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 1005]);
    const elsewhere = await call("POST /v3/payments/providers/unknown/connect", {
      return_url: "https://example.com",
    });
    expect([elsewhere.status, elsewhere.body.error.code]).toEqual([404, 1005]);
    const production = await createTestAccount({ type: "production" });
    const refused = await connect({ return_url: "https://example.com" }, production);
    expect([refused.status, refused.body.error.code]).toEqual([403, 2011]);
  });

  test.each([["not a url"], ["http://example.com/back"], ["javascript:alert(1)"], [""]])(
    "refuses to redirect to %j",
    async (return_url) => {
      const { status, body } = await connect({ return_url });
      expect([status, body.error.code]).toEqual([400, 1005]);
    },
  );
});

test("a code that the customer texts arrives as a message, and verify alone uses it up", async () => {
  const handle = await createCustomer(account);
  const { connectId, code } = await requestCode(account, handle);
  const { messageId } = await writeAs(account, handle, { to: account.line, text: code });
  const [received] = await sql.runText<{ type: string; data: object }>({
    text: "select type, data from events where account_id = $1 and message_id = $2 and type = 'message.received'",
    values: [account.ref.id, messageId],
  });
  expect(JSON.stringify(received?.data)).toContain(code);
  expect(await connectionOf(handle)).toBe("pending");
  expect((await verify(handle, code, connectId)).body.status).toBe("connected");
});

test("messages that carry a code are sent like all others", async () => {
  const handle = await createCustomer(account);
  await requestCode(account, handle);
  await until(async () => {
    const rows = await sql.runText({
      text: `select 1 from events where account_id = $1 and type = 'message.delivered' and data::text like '%••••••%'`,
      values: [account.ref.id],
    });
    return rows.length > 0;
  });
});

test("customers whose connections changed in one moment are listed each once, one a page", async () => {
  const own = await createTestAccount({ type: "sandbox" });
  const handles = ["+15550109001", "+15550109002", "+15550109003"];
  await sql.runText({
    text: `insert into handle_connections (account_id, provider, handle, status, codes_since, created_at, updated_at)
           select $1, 'servicecard', handle, 'pending', at, at, at
           from unnest($2::text[]) as handle, (values ('2026-01-01T00:00:00Z'::timestamptz)) as moment(at)`,
    values: [own.ref.id, handles],
  });
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null && seen.length < 9; ) {
    const page: Awaited<ReturnType<typeof listHandleConnectionViews>> = await listHandleConnectionViews(
      own.context(),
      {
        query: { status: [], limit: 1, ...(cursor && { cursor }) },
      },
    );
    seen.push(...page.connections.map(({ handle }) => handle));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(handles.toReversed());
});
