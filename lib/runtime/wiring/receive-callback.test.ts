import { captureLog } from "@/lib/testing/capture-log";

import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { registerTransport } from "@/lib/adapters/transports/registry";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { sealStandby } from "@/lib/lines/transports/line-transport-rows";
import { sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { acceptTestMessage, readMessage } from "@/lib/testing/factories";
import { until } from "@/lib/testing/until";
import { numericTransport } from "@/lib/testing/vendors/numeric-transport";
import { signCallback } from "@/lib/testing/vendors/numeric-vendor";

const SECRET = "vendor-secret";

const logged = captureLog();

let account: TestAccount;
let lineId: string;

beforeAll(async () => {
  registerTransport(numericTransport);
  account = await createTestAccount({ type: "sandbox" });
  const [line] = await sql.runText<{ id: string }>({
    text: "update lines set transport = 'numeric' where account_id = $1 returning id",
    values: [account.ref.id],
  });
  lineId = line?.id ?? "";
  await setLineConnection(
    { accountId: account.ref.id, id: lineId },
    { url: "http://vendor.test", secret: SECRET },
  );
});

const post = (payload: unknown, { secret = SECRET, line = lineId } = {}) => {
  const body = JSON.stringify(payload);
  return callApi(`POST /inbound/lines/${line}`, { body, headers: signCallback(secret, body) }).catch(
    () => "answered",
  );
};

async function stored(text: string): Promise<number> {
  const rows = await sql.runText({
    text: "select id from messages where account_id = $1 and not is_from_me and parts->0->>'value' = $2",
    values: [account.ref.id, text],
  });
  return rows.length;
}

const inbound = (number: number, from: string) => ({
  messages: [{ number, from, text: `hello from ${from}`, at: 1_700_000_000 }],
});

test("a vendor's callback is answered as the vendor expects once its message is stored; a repeat stores nothing", async () => {
  const from = "+15550102001";
  for (let times = 0; times < 2; times++) {
    expect(await post(inbound(1, from))).toBe("answered");
    expect(await stored(`hello from ${from}`)).toBe(1);
  }
});

test("a callback with an invalid signature is 403 and stores nothing", async () => {
  const from = "+15550102002";
  expect(await post(inbound(2, from), { secret: "another" })).toMatchObject({ status: 403 });
  expect(await stored(`hello from ${from}`)).toBe(0);
});

test("a signed callback that cannot be read is set aside, sealed and counted, and its vendor is answered", async () => {
  for (let times = 0; times < 2; times++) {
    expect(await post({ receipts: "none of +15550102077" })).toMatchObject({ status: 200 });
  }
  const kept = await sql.runText({
    text: `select type, times, handles, payload is not null and position('none of'::bytea in payload) = 0 as is_sealed
           from set_aside_events where account_id = $1`,
    values: [account.ref.id],
  });
  const handles = ["+15550102077"];
  expect(kept).toEqual([{ type: "unreadable", times: 2, handles, is_sealed: true }]);
});

describe("a connection that can't be opened", () => {
  const unopenable = async (kind: "active" | "standby") => {
    const owner = await createTestAccount({ type: "sandbox" });
    const [line] = await sql.runText<{ id: string }>({
      text: `update lines set transport = 'numeric', connection = 'garbage', connections_made = 1, connection_number = 1
             where account_id = $1 returning id`,
      values: [owner.ref.id],
    });
    const id = line?.id ?? "";
    if (kind === "standby") {
      const standby = newId(Date.now());
      await sql.runText({
        text: `insert into line_standbys (account_id, id, line_id, position, transport, connection, connection_number)
               values ($1, $2, $3, 1, 'numeric', $4, 2)`,
        values: [owner.ref.id, standby, id, sealStandby(owner.ref.id, standby, { secret: "standby" })],
      });
    }
    const kept = () =>
      sql.runText({ text: "select 1 from set_aside_events where account_id = $1", values: [owner.ref.id] });
    return { id, kept };
  };

  test("makes the callback 500, and an unsigned body is not set aside", async () => {
    const { id, kept } = await unopenable("active");
    expect(await post({ messages: "from no one" }, { line: id, secret: "unknown" })).toMatchObject({
      status: 500,
    });
    expect(await post(inbound(11, "+15550102011"), { line: id })).toMatchObject({ status: 500 });
    expect(await kept()).toEqual([]);
  });

  test("does not stop the callback of another connection of the line", async () => {
    const { id, kept } = await unopenable("standby");
    const body = JSON.stringify(inbound(12, "+15550102012"));
    const call = { body, headers: signCallback("standby", body) };
    expect(await callApi(`POST /inbound/lines/${id}`, call).catch(() => "answered")).toBe("answered");
    expect(await kept()).toEqual([]);
  });

  test("has settings that its transport refuses: the callback is 500, and the log names no values", async () => {
    const owner = await createTestAccount({ type: "sandbox" });
    registerTransport({
      ...numericTransport,
      name: "choosy",
      parseCallback: async (_, connection) => {
        z.strictObject({ secret: z.literal("expected-4711") }).parse(connection);
        return { events: [], reply: null };
      },
    });
    const [line] = await sql.runText<{ id: string }>({
      text: "update lines set transport = 'choosy' where account_id = $1 returning id",
      values: [owner.ref.id],
    });
    const id = line?.id ?? "";
    await setLineConnection({ accountId: owner.ref.id, id }, { secret: "given" });
    logged.length = 0;
    expect(await post({}, { line: id })).toMatchObject({ status: 500 });
    expect(logged.join()).toContain("1 issue: secret");
    expect(logged.join()).not.toContain("expected-4711");
  });
});

test("a callback of a connection that waits in the failover order is stored, too", async () => {
  const standby = newId(Date.now());
  await sql.runText({
    text: `insert into line_standbys (account_id, id, line_id, position, transport, connection, connection_number)
           values ($1, $2, $3, 1, 'numeric', $4, 2)`,
    values: [account.ref.id, standby, lineId, sealStandby(account.ref.id, standby, { secret: "standby" })],
  });
  const from = "+15550102005";
  expect(await post(inbound(5, from), { secret: "standby" })).toBe("answered");
  expect(await stored(`hello from ${from}`)).toBe(1);
  expect(await post(inbound(6, from), { secret: "unknown" })).toMatchObject({ status: 403 });
});

test("a callback about another number is stored on the line of that number, and refused if there is none", async () => {
  let about = { number: "", mayBeOwn: false };
  const parseCallback = numericTransport.parseCallback ?? expect.fail();
  registerTransport({
    ...numericTransport,
    name: "shared",
    parseCallback: async (line, connection, request) => ({
      ...(await parseCallback(line, connection, request)),
      about,
    }),
  });
  const owner = await createTestAccount({ type: "sandbox" });
  const [line] = await sql.runText<{ id: string; phone_number: string }>({
    text: "update lines set transport = 'shared' where account_id = $1 returning id, phone_number",
    values: [owner.ref.id],
  });
  const second = { id: newId(Date.now()), number: "+15570001001" };
  await sql.runText({
    text: `insert into lines select (jsonb_populate_record(l, jsonb_build_object('id', $2::uuid, 'phone_number', $3::text))).*
           from lines l where account_id = $1`,
    values: [owner.ref.id, second.id, second.number],
  });
  for (const id of [line?.id ?? "", second.id]) {
    await setLineConnection({ accountId: owner.ref.id, id }, { url: "http://vendor.test", secret: SECRET });
  }
  const lineOfText = async (from: string) => {
    const rows = await sql.runText<{ line_id: string }>({
      text: "select line_id from messages where account_id = $1 and parts->0->>'value' = $2",
      values: [owner.ref.id, `hello from ${from}`],
    });
    return rows.map(({ line_id }) => line_id);
  };
  const send = (number: number, from: string) => post(inbound(number, from), { line: line?.id ?? "" });

  about = { number: second.number, mayBeOwn: false };
  expect(await send(1, "+15550102101")).toBe("answered");
  expect(await lineOfText("+15550102101")).toEqual([second.id]);
  about = { number: "+15570001999", mayBeOwn: false };
  expect(await send(2, "+15550102102")).toMatchObject({ status: 400 });
  expect(await lineOfText("+15550102102")).toEqual([]);
  about = { number: "+15570001999", mayBeOwn: true };
  expect(await send(3, "+15550102103")).toBe("answered");
  expect(await lineOfText("+15550102103")).toEqual([line?.id]);
});

test("lines that are unknown, not connected or without callbacks are 404", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  const [simulated] = await sql.runText<{ id: string }>({
    text: "select id from lines where account_id = $1",
    values: [other.ref.id],
  });
  for (const line of ["nonsense", newId(1), simulated?.id ?? ""]) {
    expect(await post(inbound(3, "+15550102003"), { line })).toMatchObject({ status: 404 });
  }
});

test("a receipt that arrives before its send was answered waits for it", async () => {
  const from = "+15550102004";
  await post(inbound(4, from));
  const [{ chat_id } = { chat_id: "" }] = await sql.runText<{ chat_id: string }>({
    text: "select chat_id from messages where account_id = $1 and parts->0->>'value' = $2",
    values: [account.ref.id, `hello from ${from}`],
  });
  const id = await acceptTestMessage(account, chat_id);
  await sql.runText({
    text: "update messages set dispatch_lease_until = now() + interval '1 minute' where account_id = $1 and id = $2",
    values: [account.ref.id, id],
  });
  await sql.runText({
    text: "insert into transport_refs (account_id, line_id, ref, message_id) values ($1, $2, '7001', $3)",
    values: [account.ref.id, lineId, id],
  });

  const reply = post({ receipts: [{ number: 7001, status: 2, at: 1_700_000_001 }] });
  await until(() => Promise.resolve(logged.some((line) => line.includes("a receipt waits"))));
  expect((await readMessage(account, id)).delivery_status).toBe("pending");
  await sql.runText({
    text: "update messages set dispatch_lease_until = null, dispatch_at = null where account_id = $1 and id = $2",
    values: [account.ref.id, id],
  });

  expect(await reply).toBe("answered");
  // An SMS receipt proves only that the message was sent.
  expect((await readMessage(account, id)).delivery_status).toBe("sent");
});
