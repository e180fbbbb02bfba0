import { randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { SECRET_BYTES, toSigningSecret } from "@/lib/webhooks/signing/sign-webhook";
import { type Forwarded, startForwarding } from "@/scripts/cli/listen/forward-event";

test("a replayed event is posted like its webhook: the body of the first time, and headers that say so", async () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const reported: Forwarded[] = [];
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
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
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
  }
  expect(reported.toSorted((left, right) => left.number - right.number)).toMatchObject([
    { number: 6, eventId: "e1", type: "message.sent", status: 500, error: null, isReplay: false },
    { number: 7, eventId: "e1", type: "message.sent", status: 500, error: null, isReplay: true },
  ]);
  await expect.poll(position).toBe(7);
  server.close();
});

test("the position stays before an event whose post has not ended", async () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => void waiting.push(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
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
  server.close();
});

test("an event that a stopped server did not receive is posted when the server is back, and the position waits for it", async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const reported: Forwarded[] = [];
  const secret = toSigningSecret(randomBytes(SECRET_BYTES));
  const target = `http://127.0.0.1:${port}/hooks`;
  const { forward, position } = startForwarding({ target, secret, report: (each) => reported.push(each) });

  await forward({ id: "21", type: "message.sent", data: JSON.stringify({ event_id: "e21" }) });
  await expect.poll(() => reported).toMatchObject([{ status: null, error: "ECONNREFUSED" }]);
  expect(position()).toBe(20);

  const server = createServer((_, response) => void response.end());
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await expect.poll(position).toBe(21);
  expect(reported).toMatchObject([{ status: null }, { number: 21, status: 200 }]);
  server.close();
});
