import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { followEvents, Refused } from "@/scripts/cli/listen/follow-events";

let close: (() => void) | undefined;

afterEach(() => close?.());

/** A service that answers each connection with the next response, and records the requested start positions. */
async function serve(...answers: ((response: ServerResponse) => void)[]) {
  const asked: (string | null)[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    asked.push(url.searchParams.get("after"));
    answers[asked.length - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function take(url: string, count: number): Promise<string[]> {
  const taken: string[] = [];
  const options = { url, token: "t", query: {}, last: undefined, say: () => undefined };
  for await (const { id, type } of followEvents(options)) {
    taken.push(`${id} ${type}`);
    if (taken.length === count) break;
  }
  return taken;
}

const event = (id: number) => `id: ${id}\nevent: message.sent\ndata: {}\n\n`;

test("a connection that breaks is made again after the last event, heartbeats included", async () => {
  const { asked, url } = await serve(
    (response) => {
      response.write(`${event(1)}: a comment\n\n${event(2).slice(0, 5)}`);
      // The rest of an event can arrive in another chunk.
      setTimeout(() => response.write(`${event(2).slice(5)}: still here\nid: 7\n\n`), 20);
      setTimeout(() => response.destroy(), 60);
    },
    (response) => response.end(event(8)),
    (response) => response.write(event(9)),
  );

  expect(await take(url, 4)).toEqual([
    "1 message.sent",
    "2 message.sent",
    "8 message.sent",
    "9 message.sent",
  ]);
  expect(asked).toEqual([null, "7", "8"]);
});

test("the stream is read with the installed undici, which survives a server that closes the connection", async () => {
  const built = getGlobalDispatcher();
  onTestFinished(() => setGlobalDispatcher(built));
  const { url } = await serve((response) => response.end(event(1)));
  expect(await take(url, 1)).toEqual(["1 message.sent"]);
  expect(getGlobalDispatcher()).not.toBe(built);
});

test("a service that is busy is asked again; one that refuses is not", async () => {
  const envelope = (status: number, code: number) =>
    JSON.stringify({ success: false, error: { status, code, message: "no" } });
  const { asked, url } = await serve(
    (response) => response.writeHead(429).end(envelope(429, 1007)),
    (response) => response.writeHead(502).end("<html>bad gateway</html>"),
    (response) => response.write(`event: error\ndata: ${envelope(401, 2004)}\n\n`),
  );

  await expect(take(url, 1)).rejects.toThrow(Refused);
  expect(asked).toHaveLength(3);
});
