import { testEvent } from "@/lib/testing/events/test-event";
import "@/lib/testing/use-test-database";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { exampleEvent } from "@/lib/events/catalog/render-event";
import { emitEvents, type NewEvent } from "@/lib/events/store/emit-event";
import { lastSeq } from "@/lib/events/store/logged-event";
import { archiveAccount } from "@/lib/identity/accounts/archive-account";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { sql, transaction } from "@/lib/platform/database/db";
import { readersOf } from "@/lib/platform/database/wake";
import { newId } from "@/lib/platform/ids";
import { beginDrain } from "@/lib/platform/instances/drain";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { readStream, type StreamReader } from "@/lib/testing/read-stream";
import { serveApi } from "@/lib/testing/serve-api";
import { until } from "@/lib/testing/until";

process.env.STREAMS_PER_ACCOUNT = "3";

let api: Awaited<ReturnType<typeof serveApi>>;
let account: TestAccount;
const open: StreamReader[] = [];

beforeAll(async () => {
  api = await serveApi();
});

afterAll(() => api.close());

beforeEach(async () => {
  account = await createTestAccount({ type: "production" });
});

afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

async function follow(
  query = "",
  more: { lastEventId?: number; token?: string } = {},
): Promise<StreamReader> {
  const stream = await readStream(`${api.baseUrl}/v3/events/stream${query}`, {
    token: account.token,
    ...more,
  });
  open.push(stream);
  return stream;
}

function eventOf(type: string, more: Partial<NewEvent> = {}): NewEvent {
  return testEvent(account.ref.id, { type, ...more });
}

/** Stores events. Returns the position of the last one in the log. */
async function emit(...events: NewEvent[]): Promise<number> {
  await transaction((tx) => emitEvents(tx, events));
  return lastSeq(sql);
}

/** The events of messages. A new stream may also hear of the account's creation just before it. */
function heard(stream: StreamReader): StreamReader["frames"] {
  return stream.frames.filter(({ event }) => event.startsWith("message."));
}

async function lineId(): Promise<string> {
  const [line] = await sql.runText<{ id: string }>({
    text: "select id from lines where account_id = $1",
    values: [account.ref.id],
  });
  if (line === undefined) throw new Error("the account has no line");
  return line.id;
}

test("HEAD returns the headers and leaves no stream open", async () => {
  const before = readersOf("events");
  // One more than the account's concurrent streams.
  for (let count = 0; count < 4; count++) {
    const { status, headers } = await fetch(`${api.baseUrl}/v3/events/stream`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${account.token}` },
    });
    expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  }
  await until(() => readersOf("events") === before);
});

test("an event arrives at once, under its number and type, as its webhook would post it", async () => {
  const [newest, oldest] = await Promise.all([follow(), follow("?version=2025-01-01")]);

  const seq = await emit(eventOf("message.delivered"));

  await expect.poll(() => heard(newest).length + heard(oldest).length).toBe(2);
  for (const [stream, version] of [
    [newest, "2026-02-03"],
    [oldest, "2025-01-01"],
  ] as const) {
    const [frame] = heard(stream);
    expect(frame).toMatchObject({ id: seq, event: "message.delivered" });
    expect(frame?.data).toMatchObject({
      api_version: "v3",
      webhook_version: version,
      event_type: "message.delivered",
      partner_id: account.ref.partnerId,
      data: exampleEvent("message.delivered", version)?.data,
    });
  }
});

test("an event that a version does not have is left out of its streams", async () => {
  const [newest, oldest] = await Promise.all([follow(), follow("?version=2025-01-01")]);

  await emit(eventOf("message.edited"), eventOf("message.read"));

  await expect.poll(() => heard(newest).length + heard(oldest).length).toBe(3);
  expect(heard(newest).map((frame) => frame.event)).toEqual(["message.edited", "message.read"]);
  expect(heard(oldest).map((frame) => frame.event)).toEqual(["message.read"]);
});

test("the headers of a stream forbid caching and buffering and carry a trace ID, under the alias too", async () => {
  const stream = await readStream(`${api.baseUrl}/api/partner/v3/events/stream`, { token: account.token });
  open.push(stream);

  expect(stream.status).toBe(200);
  expect(stream.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(stream.headers.get("cache-control")).toBe("no-cache, no-transform");
  expect(stream.headers.get("x-trace-id")).toMatch(/^[0-9a-f]{32}$/);
  expect(stream.text()).toMatch(/^retry: \d+\n\n/);
});

test("internal events and other accounts' never come", async () => {
  const stream = await follow();
  const elsewhere = await createTestAccount({ type: "production" });

  await emit(
    eventOf("message.accepted", { internal: true }),
    eventOf("message.sent", { accountId: elsewhere.ref.id }),
    eventOf("message.sent"),
  );

  await expect.poll(() => heard(stream).length).toBe(1);
  expect(stream.text()).not.toContain("message.accepted");
});

test("types and lines can be chosen; what belongs to no line comes in any case", async () => {
  const line = await lineId();
  const other = newId(Date.now());
  const byType = await follow("?types=message.read,message.failed");
  const byLine = await follow(`?phone_numbers=${encodeURIComponent(account.line)}`);

  await emit(
    eventOf("message.sent", { lineId: line }),
    eventOf("message.failed", { lineId: other }),
    eventOf("message.read"),
  );

  const types = (stream: StreamReader) => heard(stream).map((frame) => frame.event);
  await expect.poll(() => types(byType)).toEqual(["message.failed", "message.read"]);
  await expect.poll(() => types(byLine)).toEqual(["message.sent", "message.read"]);
});

test("unknown types, foreign lines and bad places are refused, in the envelope", async () => {
  const elsewhere = await createTestAccount({ type: "production" });
  const refused: [string, number, number][] = [
    ["?types=message.sent,nothing.happened", 400, 1005],
    ["?phone_numbers=12", 400, 1002],
    [`?phone_numbers=${encodeURIComponent(elsewhere.line)}`, 403, 2006],
    ["?after=-1", 400, 1005],
    ["?version=2024-01-01", 400, 1005],
  ];
  for (const [query, status, code] of refused) {
    const answer = await follow(query);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text())).toMatchObject({ success: false, error: { code } });
  }
});

test("a program that comes back gets what it missed, by ?after= or by Last-Event-ID, which wins", async () => {
  const first = await emit(eventOf("message.sent"));
  const second = await emit(eventOf("message.delivered"));
  const third = await emit(eventOf("message.read"));

  const byQuery = await follow(`?after=${first}`);
  const byHeader = await follow("?after=0", { lastEventId: second });
  const fourth = await emit(eventOf("message.failed"));

  const ids = (stream: StreamReader) => stream.frames.map((frame) => frame.id);
  await expect.poll(() => ids(byQuery)).toEqual([second, third, fourth]);
  await expect.poll(() => ids(byHeader)).toEqual([third, fourth]);
});

test("a replayed event comes again, at its new place and with the id of the replay", async () => {
  const seq = await emit(eventOf("message.sent"));
  const replayId = newId(Date.now());
  const stream = await follow("?types=message.sent");
  const unwanted = await follow("?types=message.read");

  const replay = eventOf("webhook.replayed", {
    internal: true,
    data: { event_seq: seq, replay_id: replayId },
  });
  const replaySeq = await emit(replay);
  await emit(eventOf("message.read"));

  await expect.poll(() => stream.frames.length).toBe(1);
  expect(stream.frames[0]).toMatchObject({
    id: replaySeq,
    event: "message.sent",
    data: { replay: replayId },
  });
  await expect.poll(() => unwanted.frames.map((frame) => frame.event)).toEqual(["message.read"]);
});

test("the number of streams per account is limited; a slot is free again when a program disconnects", async () => {
  const [first] = await Promise.all([follow(), follow(), follow()]);

  const refused = await follow();
  expect(refused.status).toBe(429);
  expect(JSON.parse(refused.text()).error.code).toBe(1007);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);

  first.close();
  await expect
    .poll(async () => {
      const again = await follow();
      return again.status;
    })
    .toBe(200);
});

test("a stream whose token is revoked says so and ends within seconds; others go on", async () => {
  const other = await createTestAccount({ type: "production" });
  const stream = await follow();
  const unaffected = await follow("", { token: other.token });

  await account.revokeToken();

  await expect.poll(() => stream.isEnded()).toBe(true);
  expect(stream.frames.at(-1)).toMatchObject({ event: "error", data: { error: { code: 2004 } } });
  expect(unaffected.isEnded()).toBe(false);
});

test("a stream says so and ends within seconds when its account expires", async () => {
  const stream = await follow();

  await updateAccountOptions(account.context(), { body: { expires_at: new Date().toISOString() } });

  await expect.poll(() => stream.isEnded()).toBe(true);
  expect(stream.frames.at(-1)).toMatchObject({ event: "error", data: { error: { code: 2005 } } });
});

test("a stream says so and ends within seconds when its account is archived", async () => {
  const archived = await createTestAccount({ type: "production" });
  const stream = await follow("", { token: archived.token });

  await archiveAccount(archived.context(), { params: { accountId: archived.ref.id } });

  await expect.poll(() => stream.isEnded()).toBe(true);
  const { data } = stream.frames.at(-1) ?? {};
  expect(data).toMatchObject({ error: { code: 2005, message: expect.stringContaining("archived") } });
});

test("a process that stops ends its streams", async () => {
  const stream = await follow();

  beginDrain();

  await expect.poll(() => stream.isEnded()).toBe(true);
});
