import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { startReceiver } from "@/lib/testing/servers/start-receiver";
import { SECRET_BYTES, toSigningSecret } from "@/lib/webhooks/signing/sign-webhook";
import { type Forwarded, startForwarding } from "@/scripts/cli/listen/forward-event";

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
