import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { startForwarding } from "./forward-event.mjs";

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
  const said: string[] = [];
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const { secret, forward } = startForwarding({
    target,
    secret: undefined,
    say: (line: string) => said.push(line),
  });

  const first = { event_id: "e1", event_type: "message.sent", data: { id: "m1" } };
  await forward({ type: "message.sent", data: JSON.stringify(first) });
  await forward({ type: "message.sent", data: JSON.stringify({ ...first, replay: "r1" }) });
  await expect.poll(() => said).toHaveLength(2);

  const bodies = received.map(({ body }) => body);
  expect(bodies).toEqual([JSON.stringify(first), JSON.stringify(first)]);
  const again = received.find(({ headers }) => headers["x-webhook-replay"] === "true");
  expect(again?.headers["x-webhook-replay-id"]).toBe("r1");
  for (const { headers, body } of received) {
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
  }
  expect(said.toSorted()).toEqual([
    expect.stringMatching(/message\.sent {2}e1 {2}500 {2}\d+ ms$/),
    expect.stringMatching(/message\.sent \(again\) {2}e1 {2}500/),
  ]);
  server.close();
});
