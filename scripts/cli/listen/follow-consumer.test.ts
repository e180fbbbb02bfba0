import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createApiClient } from "@/scripts/cli/api-client";
import { openConsumer } from "@/scripts/cli/listen/follow-consumer";
import { Refused } from "@/scripts/cli/listen/follow-events";

let close: (() => void) | undefined;

afterEach(() => close?.());

type Answer = [status: number, body: object];
const failure = (status: number, code: number, more: object = {}): Answer => [
  status,
  { success: false, error: { status, code, message: "no", ...more } },
];
const created: Answer = [200, { position: "0", leased_until: null, last_polled_at: null }];
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
    asked.push([`${request.method} ${request.url}`, JSON.parse(text)]);
    const [status, body] = answers[asked.length - 1] ?? failure(401, 2004);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, client: createApiClient({ url, token: "t" }) };
}

function options(client: ReturnType<typeof createApiClient>, forwarded: () => number | undefined) {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  return { client, name: "x", filters: {}, start: undefined, earlier: undefined, forwarded, say, said };
}

test("events are acknowledged after they were forwarded, and those that come again are not posted twice", async () => {
  const { asked, client } = await serve(created, batch(1, 2), failure(409, 2015), batch(1, 2, 3), acked);
  let position: number | undefined;
  const feed = await openConsumer(options(client, () => position));
  const ids: string[] = [];
  await expect(async () => {
    for await (const { id } of feed?.events ?? []) {
      ids.push(id);
      // The server answers to the first two events together.
      if (id !== "1") position = Number(id);
    }
  }).rejects.toThrow(Refused);
  expect(ids).toEqual(["1", "2", "3"]);
  expect(asked.filter(([what]) => what.endsWith("/ack")).map(([, body]) => body)).toEqual([
    { up_to: "2", lease: "lease 1" },
    { up_to: "3", lease: "lease 1" },
  ]);
});

test("an event that was not forwarded is not acknowledged", async () => {
  const { asked, client } = await serve(created, batch(1, 2));
  const feed = await openConsumer(options(client, () => undefined));
  await feed?.events.next();
  await feed?.acknowledge();
  expect(asked.map(([what]) => what)).toEqual(["PUT /v3/consumers/x", "POST /v3/consumers/x/poll"]);
});

test("a consumer that is moved back gets its events forwarded again", async () => {
  const { client } = await serve(created, batch(5), acked, batch(5), acked);
  let position: number | undefined;
  const feed = await openConsumer(options(client, () => position));
  const ids: string[] = [];
  await expect(async () => {
    for await (const { id } of feed?.events ?? []) {
      ids.push(id);
      position = Number(id);
    }
  }).rejects.toThrow(Refused);
  expect(ids).toEqual(["5", "5"]);
});

test("an instance without consumers, and an account without room for one, leave the events to the stream", async () => {
  for (const answer of [failure(404, 1003), failure(409, 2015)]) {
    const { client } = await serve(answer);
    expect(await openConsumer(options(client, () => undefined))).toBeNull();
    close?.();
  }
});

test("a run continues after the position of an earlier version, and takes over the lease of a killed run", async () => {
  const leased: Answer = [
    200,
    { position: "7", leased_until: "2026-01-01T00:00:00Z", last_polled_at: "2026-01-01T00:00:00Z" },
  ];
  const earlier = await serve(created, created);
  await openConsumer({ ...options(earlier.client, () => undefined), earlier: "41" });
  expect(earlier.asked[1]).toEqual(["POST /v3/consumers/x/seek", { after: "41" }]);
  close?.();
  const killed = await serve(leased, leased);
  await openConsumer({ ...options(killed.client, () => undefined), earlier: "41" });
  expect(killed.asked[1]).toEqual(["POST /v3/consumers/x/seek", { after: "7" }]);
});

test("events that the log no longer has are named, and the oldest follow", async () => {
  const { asked, client } = await serve(created, failure(410, 2032), created, batch(9));
  const given = options(client, () => undefined);
  const feed = await openConsumer(given);
  expect((await feed?.events.next())?.value).toMatchObject({ id: "9", type: "message.sent" });
  expect(asked[2]).toEqual(["POST /v3/consumers/x/seek", { after: "oldest" }]);
  expect(given.said.join()).toContain("Continuing with the oldest");
});
