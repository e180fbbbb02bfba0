import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createApiClient } from "@/scripts/cli/api-client";
import { followConsumer } from "@/scripts/cli/listen/follow-consumer";
import { Refused } from "@/scripts/cli/listen/follow-events";
import { type OpenOptions, openConsumer } from "@/scripts/cli/listen/open-consumer";

let close: (() => void) | undefined;

afterEach(() => close?.());

type Answer = [status: number, body: object | string];
const failure = (status: number, code: number, more: object = {}): Answer => [
  status,
  { success: false, error: { status, code, message: "no", ...more } },
];
const consumer = {
  name: "x",
  start: "now",
  types: [],
  phone_numbers: null,
  version: "2026-02-03",
  position: "0",
  leased_until: null,
  last_polled_at: null,
};
const created: Answer = [200, consumer];
const gone: Answer = [204, ""];
const batch = (...ids: number[]): Answer => [
  200,
  {
    events: ids.map((id) => ({
      id: String(id),
      envelope: { event_type: "message.sent", event_id: `e${id}` },
    })),
    lease: ids.length === 0 ? null : { token: `lease ${ids[0]}` },
  },
];
const acked: Answer = [200, { position: "0", lease: null }];

/** An instance that answers each request with the next response, and records the requests. */
async function serve(...answers: Answer[]) {
  const asked: [string, unknown][] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    asked.push([`${request.method} ${request.url}`, text === "" ? undefined : JSON.parse(text)]);
    const [status, body] = answers[asked.length - 1] ?? failure(401, 2004);
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, client: createApiClient({ url, token: "t" }) };
}

function options(client: OpenOptions["client"], more: Partial<OpenOptions> = {}) {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const run = { name: "x", isKept: false, filters: {}, start: undefined, earlier: undefined };
  return { client, ...run, ...more, say, said };
}

/** Follows a consumer until the instance rejects the token. Returns the numbers of its events. */
async function follow(given: ReturnType<typeof options>, forwarded: (latest: number) => number | undefined) {
  const opened = await openConsumer(given);
  if (opened === null) throw new Error("no consumer");
  const ids: string[] = [];
  const position = () => (ids.length === 0 ? undefined : forwarded(Number(ids.at(-1))));
  const feed = followConsumer({
    client: given.client,
    consumer: opened,
    forwarded: position,
    say: given.say,
  });
  await expect(async () => {
    for await (const { id } of feed.events) ids.push(id);
  }).rejects.toThrow(Refused);
  return { ids, feed, opened };
}

const pathsOf = (asked: [string, unknown][]) => asked.map(([what]) => what.replace("/v3/consumers/x", ""));

test("events are acknowledged after they were forwarded, and those that come again are not posted twice", async () => {
  const { asked, client } = await serve(created, batch(1, 2), failure(409, 2015), batch(1, 2, 3), acked);
  // The server answers to the first two events together.
  const { ids } = await follow(options(client), (latest) => (latest === 1 ? undefined : latest));
  expect(ids).toEqual(["1", "2", "3"]);
  expect(asked.filter(([what]) => what.endsWith("/ack")).map(([, body]) => body)).toEqual([
    { up_to: "2", lease: "lease 1" },
    { up_to: "3", lease: "lease 1" },
  ]);
});

test("polls reach the events behind one without a response as far as they can, and the run says which one it is", async () => {
  const all = Array.from({ length: 250 }, (_, index) => index + 8);
  const { asked, client } = await serve(
    created,
    batch(7, 8),
    failure(409, 2015),
    batch(...all),
    failure(409, 2015),
    batch(...all),
    acked,
  );
  const given = options(client);
  // The server has answered event 7, and 8 has no response until the batch came again.
  const { ids } = await follow(given, (latest) => (given.said.length > 0 ? latest : Math.min(latest, 7)));
  expect(ids).toEqual(["7", ...all.map(String)]);
  expect(asked[1]?.[1]).toMatchObject({ limit: 250 });
  expect(given.said).toEqual([expect.stringContaining("Event 8 holds up")]);
});

test("an event that was not forwarded is not acknowledged, also when the run ends", async () => {
  const { asked, client } = await serve(created, batch(1, 2), gone);
  const opened = await openConsumer(options(client));
  if (opened === null) throw new Error("no consumer");
  const feed = followConsumer({ client, consumer: opened, forwarded: () => undefined, say: () => undefined });
  await feed.events.next();
  feed.close();
  await feed.acknowledge();
  await opened.release();
  expect((await feed.events.next()).done).toBe(true);
  expect(pathsOf(asked)).toEqual(["PUT ", "POST /poll", "DELETE "]);
});

test("a consumer that is moved back gets its events forwarded again", async () => {
  const { client } = await serve(created, batch(5), acked, batch(5), acked);
  expect((await follow(options(client), (latest) => latest)).ids).toEqual(["5", "5"]);
});

test("an acknowledgment that an instance can't answer is made again after a pause, one that it rejects ends the run", async () => {
  const unavailable = await serve(created, batch(1), failure(503, 4004), acked);
  const given = options(unavailable.client);
  expect((await follow(given, (latest) => latest)).ids).toEqual(["1"]);
  expect(pathsOf(unavailable.asked)).toEqual(["PUT ", "POST /poll", "POST /ack", "POST /ack", "POST /poll"]);
  expect(given.said.filter((line) => line.startsWith("Connection failed"))).toHaveLength(1);
  close?.();

  const rejected = await serve(created, batch(1), failure(400, 1005));
  await follow(options(rejected.client), (latest) => latest);
  expect(rejected.asked).toHaveLength(3);
});

test("a rollout does not end the run: a proxy without an instance, one that starts, and one that does not know consumers", async () => {
  const { client } = await serve(
    failure(503, 4004),
    created,
    [502, "<html>"],
    failure(404, 1003),
    batch(1),
    acked,
  );
  const given = options(client);
  expect((await follow(given, (latest) => latest)).ids).toEqual(["1"]);
  expect(given.said.filter((line) => line === "Reconnected.")).toHaveLength(1);
});

test("a consumer that was deleted is created again where the run is; one that is kept ends the run", async () => {
  const unknown = failure(404, 2034);
  const { asked, client } = await serve(created, batch(7), acked, unknown, created, created, batch(8), acked);
  expect((await follow(options(client), (latest) => latest)).ids).toEqual(["7", "8"]);
  expect(pathsOf(asked).slice(4, 6)).toEqual(["PUT ", "POST /seek"]);
  expect(asked[5]?.[1]).toEqual({ after: "7" });
  close?.();

  const kept = await serve([200, { ...consumer, last_polled_at: "2026-01-01T00:00:00Z" }], unknown);
  const { opened } = await follow(options(kept.client, { isKept: true }), (latest) => latest);
  await opened.release();
  expect(pathsOf(kept.asked)).toEqual(["GET ", "POST /poll"]);
});

test("an instance without consumers, a token without the right and an account without room leave the events to the stream", async () => {
  const full = failure(409, 2015);
  const live = { ...consumer, name: "listen-live", last_polled_at: new Date().toISOString() };
  const cases: [Answer[], RegExp][] = [
    [[failure(404, 1003)], /no consumers/],
    [[failure(403, 2005)], /may not manage/],
    [[full, [200, { consumers: [{ ...consumer, name: "billing" }, live] }]], /no room/],
  ];
  for (const [answers, reason] of cases) {
    const { client } = await serve(...answers);
    const given = options(client);
    expect(await openConsumer(given)).toBeNull();
    expect(given.said).toEqual([expect.stringMatching(reason)]);
    close?.();
    const kept = await serve(...answers);
    await expect(openConsumer(options(kept.client, { isKept: true }))).rejects.toThrow("no");
    close?.();
  }
  expect(await openConsumer(options((await serve()).client, { filters: { types: "chat.turn" } }))).toBeNull();
  close?.();
  // A line of another account is an error of the options, which the stream would have too.
  const foreign = await serve(failure(403, 2006));
  await expect(openConsumer(options(foreign.client))).rejects.toThrow("no");
});

test("consumers of runs that were killed long ago make room", async () => {
  const idle = { ...consumer, name: "listen-old", last_polled_at: "2026-01-01T00:00:00Z" };
  const list: Answer = [200, { consumers: [{ ...idle, name: "billing" }, idle] }];
  const { asked, client } = await serve(failure(409, 2015), list, gone, created);
  expect(await openConsumer(options(client))).not.toBeNull();
  expect(asked.map(([what]) => what).slice(1, 3)).toEqual([
    "GET /v3/consumers",
    "DELETE /v3/consumers/listen-old",
  ]);
});

test("a run continues after the position of an earlier one, and takes over the lease of a killed run", async () => {
  const earlier = await serve(created, [200, { ...consumer, position: "41" }]);
  expect(await openConsumer(options(earlier.client, { earlier: "41" }))).toMatchObject({ position: 41 });
  expect(earlier.asked[1]).toEqual(["POST /v3/consumers/x/seek", { after: "41" }]);
  close?.();
  const at = "2026-01-01T00:00:00Z";
  const leased: Answer = [200, { ...consumer, position: "7", leased_until: at, last_polled_at: at }];
  const killed = await serve(leased, leased);
  await openConsumer(options(killed.client, { earlier: "41" }));
  expect(killed.asked[1]).toEqual(["POST /v3/consumers/x/seek", { after: "7" }]);
});

test("events that the log no longer has are named, and the oldest follow", async () => {
  const { asked, client } = await serve(
    created,
    failure(410, 2032, { oldest: "9" }),
    created,
    batch(9),
    acked,
  );
  const given = options(client);
  expect((await follow(given, (latest) => latest)).ids).toEqual(["9"]);
  expect(asked[2]).toEqual(["POST /v3/consumers/x/seek", { after: "oldest" }]);
  expect(given.said.join()).toContain(
    "no longer has all events after 0. Continuing with the oldest, event 9.",
  );
});

test("a kept consumer has its own filters, and another run's events are waited for", async () => {
  const found: Answer = [200, { ...consumer, start: "oldest" }];
  const { asked, client } = await serve(
    found,
    found,
    failure(409, 2033, { retry_after: 1 }),
    batch(1),
    acked,
  );
  const given = options(client, { isKept: true, filters: { types: "message.sent" } });
  expect((await follow(given, (latest) => latest)).ids).toEqual(["1"]);
  expect(asked[1]).toEqual(["PUT /v3/consumers/x", { start: "oldest", types: ["message.sent"] }]);
  expect(given.said.join()).toContain("Another run");
});
