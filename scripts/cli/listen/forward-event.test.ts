import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, test, vi } from "vitest";
import { startReceiver } from "@/lib/testing/servers/start-receiver";
import { SECRET_BYTES, toSigningSecret } from "@/lib/webhooks/signing/sign-webhook";
import { type Forwarded, startForwarding } from "@/scripts/cli/listen/forward-event";

afterEach(() => vi.restoreAllMocks());

test("a replayed event is posted like its webhook: the body of the first time, and headers that say so", async () => {
  const { url: target, received, close } = await startReceiver((response) => response.writeHead(500).end());
  const reported: Forwarded[] = [];
  const secret = toSigningSecret(randomBytes(SECRET_BYTES));
  const { forward, position } = startForwarding({ target, secret, report: (each) => reported.push(each) });

  const first = { event_id: "e1", event_type: "message.sent", data: { id: "m1" } };
  await forward({ id: "6", type: "message.sent", data: JSON.stringify(first) });
  await forward({ id: "7", type: "message.sent", data: JSON.stringify({ ...first, replay: "r1" }) });
  await expect.poll(() => reported).toHaveLength(2);

  const bodies = received.map(({ body }) => body);
  expect(bodies).toEqual([JSON.stringify(first), JSON.stringify(first)]);
  const again = received.find(({ headers }) => headers["x-webhook-replay"] === "true");
  expect(again?.headers["x-webhook-replay-id"]).toBe("r1");
  for (const { headers, body } of received) {
    expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
  }
  expect(reported.toSorted((left, right) => left.number - right.number)).toMatchObject([
    { number: 6, eventId: "e1", type: "message.sent", status: 500, error: null, isReplay: false },
    { number: 7, eventId: "e1", type: "message.sent", status: 500, error: null, isReplay: true },
  ]);
  await expect.poll(position).toBe(7);
  await close();
});

test("the position stays before an event whose post has not ended", async () => {
  const waiting: ServerResponse[] = [];
  const { url: target, close } = await startReceiver((response) => void waiting.push(response));
  const secret = toSigningSecret(randomBytes(SECRET_BYTES));
  const { forward, position } = startForwarding({ target, secret, report: () => undefined });
  expect(position()).toBeUndefined();

  for (const id of ["11", "12"]) {
    await forward({ id, type: "message.sent", data: JSON.stringify({ event_id: id }) });
    await expect.poll(() => waiting).toHaveLength(Number(id) - 10);
  }
  waiting[1]?.end();
  expect(position()).toBe(10);
  waiting[0]?.end();
  await expect.poll(position).toBe(12);
  await close();
});

test("an event that a stopped server did not receive is posted when the server is back, and the position waits for it", async () => {
  const stopped = await startReceiver();
  await stopped.close();
  const reported: Forwarded[] = [];
  const secret = toSigningSecret(randomBytes(SECRET_BYTES));
  const { forward, position } = startForwarding({
    target: stopped.url,
    secret,
    report: (each) => reported.push(each),
  });

  await forward({ id: "21", type: "message.sent", data: JSON.stringify({ event_id: "e21" }) });
  await expect.poll(() => reported).toMatchObject([{ status: null, error: "ECONNREFUSED" }]);
  expect(position()).toBe(20);

  const { close } = await startReceiver(undefined, stopped.port);
  await expect.poll(position).toBe(21);
  expect(reported).toMatchObject([{ status: null }, { number: 21, status: 200 }]);
  await close();
});

test("an event that the server takes and does not answer within the time limit is reported once, and the position passes it", async () => {
  const limit = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(limit.signal);
  const {
    url: target,
    received,
    close,
  } = await startReceiver((response, count) => void (count === 2 && response.end()));
  const reported: Forwarded[] = [];
  const secret = toSigningSecret(randomBytes(SECRET_BYTES));
  const { forward, position } = startForwarding({ target, secret, report: (each) => reported.push(each) });

  await forward({ id: "31", type: "message.sent", data: JSON.stringify({ event_id: "e31" }) });
  await expect.poll(() => received).toHaveLength(1);
  await forward({ id: "32", type: "message.sent", data: JSON.stringify({ event_id: "e32" }) });
  await expect.poll(() => reported).toMatchObject([{ number: 32, status: 200 }]);
  expect(position()).toBe(30);

  limit.abort(new DOMException("no response", "TimeoutError"));
  await expect.poll(position).toBe(32);
  expect(reported).toMatchObject([{ number: 32 }, { number: 31, status: null, error: "TimeoutError" }]);
  await close();
});

test("after a move back, the position does not pass what was not forwarded again, also while a later post is pending", async () => {
  const waiting: ServerResponse[] = [];
  const { url: target, close } = await startReceiver((response) => void waiting.push(response));
  const secret = toSigningSecret(randomBytes(SECRET_BYTES));
  const { forward, position } = startForwarding({ target, secret, report: () => undefined });
  for (const id of ["12", "5", "12"]) {
    await forward({ id, type: "message.sent", data: JSON.stringify({ event_id: id }) });
    if (id === "5") {
      await expect.poll(() => waiting).toHaveLength(2);
      waiting[1]?.end();
      await expect.poll(position).toBe(5);
    }
  }
  await expect.poll(() => waiting).toHaveLength(3);
  // The end of the first post does not end the second one of the same event.
  waiting[0]?.end();
  await new Promise((resolve) => waiting[0]?.once("close", resolve));
  expect(position()).toBe(11);
  waiting[2]?.end();
  await expect.poll(position).toBe(12);
  await close();
});
