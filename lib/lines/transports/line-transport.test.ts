import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { SendOutcome } from "@/lib/adapters/transports/outbound";
import { registerTransport } from "@/lib/adapters/transports/registry";
import type { Transport } from "@/lib/adapters/transports/transport";
import { setLineUp } from "@/lib/lines/lines/set-line-up";
import {
  ActivateStandby,
  activateStandby,
  changeFailover,
  removeStandby,
} from "@/lib/lines/transports/change-failover";
import { failOverLines } from "@/lib/lines/transports/fail-over-lines";
import { getLineTransport } from "@/lib/lines/transports/get-line-transport";
import { setLineTransport } from "@/lib/lines/transports/set-line-transport";
import { testLineTransport } from "@/lib/lines/transports/test-line-transport";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql } from "@/lib/platform/database/db";
import type { Queue } from "@/lib/platform/database/queue";
import { setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { advanceClock } from "@/lib/testing/factories";
import { until } from "@/lib/testing/until";

const TWILIO = {
  position: 0,
  transport: "twilio",
  settings: { account_sid: `AC${"0".repeat(32)}`, auth_token: "first-secret" },
};
const SMPP = {
  position: 1,
  transport: "smpp",
  settings: { host: "smpp.example.com", system_id: "trunkline", password: "second-secret" },
};

let account: TestAccount;
let lineId: string;
let running: Queue[] = [];

beforeEach(async () => {
  await sql.runText({ text: "update lines set failover_seconds = null", values: [] });
  account = await createTestAccount({ type: "production" });
  const [line] = await sql.runText<{ id: string }>({
    text: "select id from lines where account_id = $1",
    values: [account.ref.id],
  });
  lineId = line?.id ?? "";
});

afterEach(async () => {
  await Promise.all(running.map((queue) => queue.stop()));
  running = [];
  setClock(null);
});

const params = () => ({ lineId });
const set = (body: typeof TWILIO | typeof SMPP | object) =>
  setLineTransport(account.context(), {
    params: params(),
    query: undefined,
    body: { ...TWILIO, ...body } as typeof TWILIO,
  });
const activate = (position: number) =>
  activateStandby(account.context(), { params: params(), query: undefined, body: { position } });
const read = () => getLineTransport(account.context(), { params: params() });

async function audits(action: string): Promise<unknown[]> {
  const rows = await sql.runText<{ detail: unknown }>({
    text: "select detail from audit_entries where account_id = $1 and action = $2 order by id",
    values: [account.ref.id, action],
  });
  return rows.map(({ detail }) => detail);
}

describe("a connection", () => {
  test("is stored sealed, shown without its secrets, and audited without them", async () => {
    await set(TWILIO);
    const shown = await read();
    expect(shown.connections).toMatchObject([
      {
        position: 0,
        transport: "twilio",
        is_active: true,
        settings: { account_sid: TWILIO.settings.account_sid },
        secrets: ["auth_token"],
      },
    ]);
    expect(shown).toMatchObject({ is_up: false, down_reason: "connecting" });
    expect(shown.callback_url).toBe(`http://trunkline.test/inbound/lines/${lineId}`);
    const dump = JSON.stringify([shown, await audits("line.transport_changed")]);
    expect(dump).not.toContain("first-secret");
    expect(await audits("line.transport_changed")).toMatchObject([
      { before: { transport: "simulator" }, after: { transport: "twilio" }, secrets_changed: ["auth_token"] },
    ]);
    const [row] = await sql.runText<{ text: string }>({
      text: "select encode(connection, 'escape') as text from lines where id = $1",
      values: [lineId],
    });
    expect(row?.text).not.toContain("first-secret");
  });

  test("keeps a secret that is left empty, and not that of another transport", async () => {
    await set(TWILIO);
    await set({ settings: { ...TWILIO.settings, auth_token: "" } });
    expect((await read()).connections[0]?.secrets).toEqual(["auth_token"]);
    expect((await audits("line.transport_changed")).at(-1)).toMatchObject({ secrets_changed: [] });
    await expect(set({ ...SMPP, position: 0, settings: { host: "a", system_id: "b" } })).rejects.toThrow(
      "Password: enter a value",
    );
  });

  test("never sends a stored secret to another host", async () => {
    await set(TWILIO);
    const { account_sid } = TWILIO.settings;
    const body = {
      ...TWILIO,
      settings: { account_sid, auth_token: "", base_url: "https://elsewhere.example" },
    };
    await expect(set(body)).rejects.toThrow("Auth token: enter a value");
    const input = { params: params(), query: undefined, body };
    await expect(testLineTransport(account.context(), input)).rejects.toThrow("Auth token: enter a value");
  });

  test.each([
    [{ settings: { ...TWILIO.settings, account_sid: "AC1" } }, "Account SID: must be AC"],
    [{ settings: { ...TWILIO.settings, account_sid: "" } }, "Account SID: enter a value"],
    [{ settings: { ...TWILIO.settings, color: "red" } }, "twilio has no such setting"],
    [{ transport: "simulator", settings: {} }, "production accounts can use"],
    [{ transport: "pigeon", settings: {} }, "production accounts can use"],
  ])("with %j is refused: %s", async (body, reason) => {
    await expect(set(body)).rejects.toThrow(reason);
    expect((await read()).connections).toMatchObject([{ transport: "simulator" }]);
  });

  test("of another account is not found", async () => {
    const other = await createTestAccount({ type: "production" });
    const input = { params: params(), query: undefined, body: TWILIO };
    await expect(setLineTransport(other.context(), input)).rejects.toThrow();
    await expect(getLineTransport(other.context(), { params: params() })).rejects.toThrow();
  });

  test("is tested without being stored, and the reason names what is wrong", async () => {
    const body = { ...TWILIO, settings: { ...TWILIO.settings, base_url: "http://127.0.0.1:9" } };
    const result = await testLineTransport(account.context(), { params: params(), query: undefined, body });
    expect(result).toMatchObject({ works: false, reason: expect.stringContaining("is not allowed") });
    expect((await read()).connections).toMatchObject([{ transport: "simulator" }]);
  });

  test("that moves a line to another vendor keeps its chats, and forgets the ids of its groups", async () => {
    const { chatId } = await account.sendFirst("+15550181000");
    await sql.runText({
      text: "update chats set transport_ref = 'group of the first vendor' where id = $1",
      values: [chatId],
    });
    await set(TWILIO);
    const [chat] = await sql.runText<{ transport_ref: string | null; left_at: Date | null }>({
      text: "select transport_ref, left_at from chats where id = $1",
      values: [chatId],
    });
    expect(chat).toEqual({ transport_ref: null, left_at: null });
  });
});

describe("the throughput of a connection", () => {
  const throughput = async () => {
    const [row] = await sql.runText<{ sends_per_second: number | null }>({
      text: "select sends_per_second from lines where id = $1",
      values: [lineId],
    });
    return row?.sends_per_second;
  };

  test("has a default, is shown with the settings, and applies to the connection in use only", async () => {
    await set(TWILIO);
    expect(await throughput()).toBe(10);
    await set({ settings: { ...TWILIO.settings, auth_token: "", throughput: "0.5" } });
    expect(await throughput()).toBe(0.5);
    expect((await read()).connections[0]?.settings.throughput).toBe("0.5");
    await set(SMPP);
    await activate(1);
    expect(await throughput()).toBeNull();
    await activate(0);
    expect(await throughput()).toBe(0.5);
  });

  test.each(["0", "0.01", "1001", "fast", "-1", "1e3"])("of %s is refused", async (value) => {
    await expect(set({ settings: { ...TWILIO.settings, throughput: value } })).rejects.toThrow("Throughput:");
  });

  test("changes without another vendor: the ids of groups and the place of polls are kept", async () => {
    const upstream = { base_url: "https://upstream.example", api_token: "token" };
    await set({ transport: "upstream", settings: upstream });
    await sql.runText({ text: "update lines set poll_cursor = 'here' where id = $1", values: [lineId] });
    await set({ transport: "upstream", settings: { ...upstream, throughput: "5" } });
    const [row] = await sql.runText({
      text: "select poll_cursor from lines where id = $1",
      values: [lineId],
    });
    expect(row).toEqual({ poll_cursor: "here" });
    expect(await throughput()).toBe(5);
  });
});

describe("the failover order", () => {
  test("has its places, and using another connection exchanges them", async () => {
    await set(TWILIO);
    await set(SMPP);
    await activate(1);
    expect((await read()).connections).toMatchObject([
      { position: 0, transport: "twilio", is_active: false, secrets: ["auth_token"] },
      { position: 1, transport: "smpp", is_active: true, secrets: ["password"] },
    ]);
    await activate(0);
    expect((await read()).connections).toMatchObject([{ is_active: true }, { is_active: false }]);
    expect(await audits("line.transport_switched")).toHaveLength(2);
    await removeStandby(account.context(), { params: { lineId, position: 1 } });
    expect((await read()).connections).toHaveLength(1);
    await expect(removeStandby(account.context(), { params: { lineId, position: 0 } })).rejects.toThrow(
      "use another one first",
    );
  });

  test("continues polls of a connection where they stopped", async () => {
    await set(TWILIO);
    await set(SMPP);
    await sql.runText({ text: "update lines set poll_cursor = 'page 7' where id = $1", values: [lineId] });
    await activate(1);
    await activate(0);
    const [line] = await sql.runText<{ poll_cursor: string }>({
      text: "select poll_cursor from lines where id = $1",
      values: [lineId],
    });
    expect(line?.poll_cursor).toBe("page 7");
  });

  test("is used after the outage has lasted long enough, once, by any number of processes", async () => {
    await set(TWILIO);
    await set(SMPP);
    const body = { failover_seconds: 60 };
    await changeFailover(account.context(), { params: params(), query: undefined, body });
    await setLineUp(account.ref.id, lineId, true);
    await setLineUp(account.ref.id, lineId, false, { reason: "no response" });
    const stop = new AbortController().signal;
    advanceClock(30);
    expect(await failOverLines(stop)).toBe(0);
    advanceClock(31);
    const switched = await Promise.all([failOverLines(stop), failOverLines(stop), failOverLines(stop)]);
    expect(switched.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect((await read()).connections[1]).toMatchObject({ transport: "smpp", is_active: true });
    expect(await audits("line.transport_switched")).toMatchObject([
      { before: { transport: "twilio" }, after: { transport: "smpp" }, reason: "no response" },
    ]);
    // The second outage begins with the switch.
    expect(await failOverLines(stop)).toBe(0);
    advanceClock(61);
    expect(await failOverLines(stop)).toBe(1);
    expect((await read()).connections[0]).toMatchObject({ transport: "twilio", is_active: true });
  });

  test("is not used without a setting, or while the line is up", async () => {
    await set(TWILIO);
    await set(SMPP);
    const stop = new AbortController().signal;
    advanceClock(100_000);
    expect(await failOverLines(stop)).toBe(0);
    const body = { failover_seconds: 60 };
    await changeFailover(account.context(), { params: params(), query: undefined, body });
    await setLineUp(account.ref.id, lineId, true);
    expect(await failOverLines(stop)).toBe(0);
  });
});

/** A vendor whose sends the test answers. */
function vendor(name: string) {
  const sent: string[] = [];
  const knobs = {
    send: async (): Promise<void> => {},
    outcome: { state: "absent" } as SendOutcome,
  };
  const transport: Transport = {
    name,
    caps: () => new Set(),
    capabilityCacheSeconds: 0,
    probe: async () => "yes",
    async send({ id, service }) {
      await knobs.send();
      sent.push(id);
      return { refs: [`${name} ${id}`], groupRef: null, service };
    },
    outcome: async () => knobs.outcome,
    act: async () => {},
  };
  registerTransport(transport);
  return { sent, knobs };
}

describe("a message while its line changes the connection", () => {
  const connections = { settings: {} };
  const statusOf = async (messageId: string) => {
    const [row] = await sql.runText<{ status: string; code: number | null }>({
      text: "select delivery_status::text as status, failure_code as code from messages where id = $1",
      values: [messageId],
    });
    return row;
  };

  test("that no vendor can have is sent over the next connection", async () => {
    const [first, second] = [vendor("first"), vendor("second")];
    await set({ ...connections, transport: "first" });
    await set({ ...connections, transport: "second", position: 1 });
    first.knobs.send = async () => {
      throw new AdapterError("line_down", "not connected");
    };
    const { messageId } = await account.sendFirst("+15550181001");
    running.push(startDispatch());
    await until(async () => (await statusOf(messageId))?.status === "queued");
    await activate(1);
    advanceClock(5);
    await until(async () => (await statusOf(messageId))?.status === "sent");
    expect([first.sent, second.sent]).toEqual([[], [messageId]]);
  });

  test("that the first vendor may have is never sent over the next one: it fails with 4006", async () => {
    const [first, second] = [vendor("first"), vendor("second")];
    await set({ ...connections, transport: "first" });
    await set({ ...connections, transport: "second", position: 1 });
    first.knobs.send = async () => {
      throw new AdapterError("unknown_outcome", "the response was lost");
    };
    first.knobs.outcome = { state: "repeatable" };
    const { messageId } = await account.sendFirst("+15550181002");
    running.push(startDispatch());
    await until(async () => {
      const [row] = await sql.runText<{ waits: boolean }>({
        text: `select dispatch_connection is not null and dispatch_lease_until is null as waits
               from messages where id = $1`,
        values: [messageId],
      });
      return row?.waits;
    });
    await activate(1);
    advanceClock(5);
    await until(async () => (await statusOf(messageId))?.status === "failed");
    expect(await statusOf(messageId)).toEqual({ status: "failed", code: 4006 });
    expect(second.sent).toEqual([]);
  });

  test("that is being sent at that moment: the answer of the next vendor does not count", async () => {
    const [first, second] = [vendor("first"), vendor("second")];
    await set({ ...connections, transport: "first" });
    await set({ ...connections, transport: "second", position: 1 });
    let begin = () => {};
    const began = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    first.knobs.send = async () => {
      begin();
      await answered;
      throw new AdapterError("unknown_outcome", "the response was lost");
    };
    const { messageId } = await account.sendFirst("+15550181003");
    running.push(startDispatch());
    await began;
    await activate(1);
    // The vendor of the next connection knows nothing of the message, which proves nothing.
    answer();
    await until(async () => (await statusOf(messageId))?.status === "failed");
    expect(await statusOf(messageId)).toEqual({ status: "failed", code: 4006 });
    expect(second.sent).toEqual([]);
  });

  test("is sent once, whichever of the two connections it takes, while the line changes again and again", async () => {
    const [first, second] = [vendor("first"), vendor("second")];
    await set({ ...connections, transport: "first" });
    await set({ ...connections, transport: "second", position: 1 });
    running.push(startDispatch(), startDispatch());
    const ids: string[] = [];
    const switching = (async () => {
      for (let count = 0; count < 20; count++) await activate(count % 2 === 0 ? 1 : 0);
    })();
    for (let count = 0; count < 40; count++) {
      ids.push((await account.sendFirst(`+1555018${2000 + count}`)).messageId);
    }
    await switching;
    await until(async () => (await Promise.all(ids.map(statusOf))).every((row) => row?.status === "sent"));
    expect([...first.sent, ...second.sent].sort()).toEqual([...ids].sort());
  });
});

test("only operators may connect lines", () => {
  expect(ActivateStandby.right).toBe("connect_lines");
});
