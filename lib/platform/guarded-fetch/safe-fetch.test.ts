import http from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Agent } from "undici";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { BlockedTarget } from "@/lib/platform/guarded-fetch/guarded-connector";
import { postGuarded } from "@/lib/platform/guarded-fetch/post-guarded";
import { guardedAgent, openGuarded, TimedOut } from "@/lib/platform/guarded-fetch/safe-fetch";
import { parseAllowList } from "@/lib/platform/guarded-fetch/target-rules";
import { hostileTargets } from "@/lib/testing/samples/hostile-targets";
import { startEndingServer } from "@/lib/testing/servers/start-ending-server";
import { until } from "@/lib/testing/until";

const KEEP_BYTES = 4096;
const PUBLIC_BUT_UNROUTED = "2000::1";

let hits: string[] = [];
const agents: Agent[] = [];

// Listens on every address of the machine, IPv4 and IPv6, and counts every request that arrives.
const server = http.createServer((request, response) => answer(request.url ?? "/", response));
await new Promise<void>((resolve) => server.listen(0, "::", resolve));
const { port } = server.address() as AddressInfo;

beforeEach(() => {
  hits = [];
});

afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.destroy()));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function answer(path: string, response: http.ServerResponse): void {
  hits.push(path);
  if (path === "/redirect") response.writeHead(302, { location: `http://[::1]:${port}/secret` }).end("moved");
  else if (path === "/hang") response.flushHeaders();
  else if (path === "/silent") return;
  else if (path === "/endless") feed(response);
  else if (path === "/long") response.end("é".repeat(5000));
  else response.end("hello");
}

function feed(response: http.ServerResponse): void {
  const timer = setInterval(() => response.write("x".repeat(16 * 1024)), 1);
  response.on("close", () => clearInterval(timer));
}

function agentFor(
  allow: string[],
  resolve?: (host: string) => Promise<{ address: string; family: number }[]>,
) {
  const agent = guardedAgent({
    allow: parseAllowList(allow),
    connectionsPerOrigin: 4,
    connectTimeoutMs: 500,
    ...(resolve && { resolve }),
  });
  agents.push(agent);
  return agent;
}

function post(agent: Agent, url: string, timeoutMs = 2000) {
  const request = { headers: {}, body: "{}", timeoutMs, keepBytes: KEEP_BYTES };
  return postGuarded(agent, new URL(url), request);
}

describe("hostile targets", () => {
  const agent = agentFor([]);

  const targets = hostileTargets(port).flatMap((target) => URL.parse(target) ?? []);

  test.each(targets.map((target) => [target.href, target]))("%s is not reached", async (_href, target) => {
    const request = { headers: {}, body: "{}", timeoutMs: 500, keepBytes: 1 };
    await expect(postGuarded(agent, target, request)).rejects.toThrow(new BlockedTarget());
    expect(hits).toEqual([]);
  });

  test("the listener they aim at does count what an allow-list lets through", async () => {
    await post(agentFor(["127.0.0.0/8"]), `http://127.0.0.1:${port}/allowed`);
    expect(hits).toEqual(["/allowed"]);
  });
});

describe("names", () => {
  test.each([
    ["one private address", ["127.0.0.1"]],
    ["a private address beside a public one", ["2606:4700::1111", "10.0.0.1"]],
    ["a mapped address", ["::ffff:127.0.0.1"]],
    ["a metadata address", ["169.254.169.254"]],
  ])("a name that leads to %s is refused", async (_what, addresses) => {
    const agent = agentFor([], async () =>
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
    await expect(post(agent, `http://hooks.example.com:${port}/`)).rejects.toThrow(new BlockedTarget());
    expect(hits).toEqual([]);
  });

  test("a name that leads to nothing is a name without an address", async () => {
    const agent = agentFor([], async () => []);
    await expect(post(agent, `http://hooks.example.com:${port}/`)).rejects.toMatchObject({ code: "ENODATA" });
    expect(hits).toEqual([]);
  });

  test("a name that turns private between check and connect leads to the address that was checked", async () => {
    let asked = 0;
    const agent = agentFor([], async () => {
      asked++;
      return asked === 1 ? [{ address: PUBLIC_BUT_UNROUTED, family: 6 }] : [{ address: "::1", family: 6 }];
    });
    await expect(post(agent, `http://rebind.example.com:${port}/`, 700)).rejects.not.toThrow(BlockedTarget);
    expect(asked).toBe(1);
    expect(hits).toEqual([]);
  });

  test.each([
    "metadata.google.internal",
    "instance-data.ec2.internal",
    "metadata.azure.internal",
    "metadata",
  ])("the metadata host %s is refused, even when it is on the allow-list", async (host) => {
    const agent = agentFor([host], async () => [{ address: "169.254.169.254", family: 4 }]);
    await expect(post(agent, `http://${host}:${port}/latest/`)).rejects.toThrow(new BlockedTarget());
    expect(hits).toEqual([]);
  });

  test("a name on the allow-list may lead to a private address, but never to a link-local one", async () => {
    const addresses = { "good.internal": "127.0.0.1", "evil.internal": "169.254.169.254" };
    const agent = agentFor(Object.keys(addresses), async (host) => [
      { address: addresses[host as keyof typeof addresses], family: 4 },
    ]);
    await expect(post(agent, `http://good.internal:${port}/named`)).resolves.toMatchObject({ status: 200 });
    await expect(post(agent, `http://evil.internal:${port}/named`)).rejects.toThrow(new BlockedTarget());
    expect(hits).toEqual(["/named"]);
  });
});

test("an allow-list opens nothing link-local, no metadata address and no tunnel, even with every address on it", async () => {
  const agent = agentFor(["0.0.0.0/0", "::/0"]);
  for (const host of [
    "169.254.169.254",
    "[fe80::1]",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "[64:ff9b::a9fe:a9fe]",
  ]) {
    await expect(post(agent, `http://${host}:${port}/`)).rejects.toThrow(new BlockedTarget());
  }
  await expect(post(agent, `http://127.0.0.1:${port}/ok`)).resolves.toMatchObject({ status: 200 });
});

test.each(["10.0.0.0/33", "http://localhost", "a b", "*", ""])(
  "the allow-list refuses the entry %j",
  (entry) => {
    expect(() => parseAllowList([entry])).toThrow("is not a host, an IP address or a CIDR");
  },
);

describe("answers", () => {
  const agent = agentFor(["127.0.0.1"]);

  test("a redirect to a private address is an answer and is not followed", async () => {
    await expect(post(agent, `http://127.0.0.1:${port}/redirect`)).resolves.toMatchObject({ status: 302 });
    expect(hits).toEqual(["/redirect"]);
  });

  test("a long answer is kept up to the limit and leaves the connection usable", async () => {
    const { status, body } = await post(agent, `http://127.0.0.1:${port}/long`);
    expect([status, body.length]).toEqual([200, KEEP_BYTES]);
    await expect(post(agent, `http://127.0.0.1:${port}/`)).resolves.toMatchObject({ status: 200 });
  });

  test("an endless answer is cut off", async () => {
    const { status, body } = await post(agent, `http://127.0.0.1:${port}/endless`);
    expect([status, body.length]).toEqual([200, KEEP_BYTES]);
  });

  test("no answer in time is TimedOut; a status whose body never ends counts", async () => {
    await expect(post(agent, `http://127.0.0.1:${port}/silent`, 200)).rejects.toThrow(TimedOut);
    // On a busy machine the status may come too late.
    const hang = () => post(agent, `http://127.0.0.1:${port}/hang`, 200).catch(() => null);
    expect(await until(hang)).toMatchObject({ status: 200 });
  });

  test("credentials in the address are refused", async () => {
    await expect(post(agent, `http://user:secret@127.0.0.1:${port}/`)).rejects.toThrow(new BlockedTarget());
    expect(hits).toEqual([]);
  });
});

describe("a receiver that is not Node", () => {
  const peers: { close(): void }[] = [];

  afterAll(() => {
    for (const peer of peers) peer.close();
  });

  /** Answers each request with `reply`, which gets the number of the connection and of the request on it, from 0. */
  async function startPeer(reply: (socket: Socket, connection: number, request: number) => void) {
    let connections = 0;
    const sockets = new Set<Socket>();
    const peer = createServer((socket) => {
      const connection = connections++;
      let requests = 0;
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("data", (bytes) => {
        if (bytes.includes("{}")) reply(socket, connection, requests++);
      });
    });
    peers.push({
      close() {
        for (const socket of sockets) socket.destroy();
        peer.close();
      },
    });
    await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}/`;
    return { url, connections: () => connections };
  }

  /** Sends the next request on the connection of the one before. */
  function agentOfOne(): Agent {
    const agent = guardedAgent({
      allow: parseAllowList(["127.0.0.1"]),
      connectionsPerOrigin: 1,
      connectTimeoutMs: 10_000,
    });
    agents.push(agent);
    return agent;
  }

  const OK = "HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\nHTTP/1.1 100 ok";

  test.each([
    ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\n", 1000],
    ["100 Continue byte by byte", "HTTP/1.1 100 Continue\r\nx: y\r\n\r\n", 1],
    [
      "102, 103 and 100",
      "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 x\r\n\r\n",
      7,
    ],
  ])("may send %s first, and the connection stays in use", async (_what, interim, pieceBytes) => {
    const peer = await startPeer(async (socket) => {
      const text = interim + OK;
      for (let at = 0; at < text.length; at += pieceBytes) {
        socket.write(text.slice(at, at + pieceBytes));
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const agent = agentOfOne();
    for (const _ of [1, 2]) {
      const { status, body } = await post(agent, peer.url, 20_000);
      expect([status, body.toString()]).toEqual([200, "HTTP/1.1 100 ok"]);
    }
    expect(peer.connections()).toBe(1);
  });

  test("may close the connection of an earlier request as it is used again: the request is sent on a new one", async () => {
    const peer = await startPeer((socket, _connection, request) => {
      if (request === 0) socket.write(OK);
      else socket.resetAndDestroy();
    });
    const agent = agentOfOne();
    for (const _ of [1, 2, 3]) expect(await post(agent, peer.url, 20_000)).toMatchObject({ status: 200 });
    expect(peer.connections()).toBe(3);
  });

  test("that resets a new connection has failed the request", async () => {
    const peer = await startPeer((socket) => socket.resetAndDestroy());
    await expect(post(agentFor(["127.0.0.1"]), peer.url, 20_000)).rejects.toThrow();
    expect(peer.connections()).toBe(1);
  });
});

describe("a server that closes the connection while its response is read slowly", () => {
  const SIZE = 128 * 1024;

  async function readSlowly(declared: number, sent: number): Promise<number> {
    const peer = await startEndingServer(declared, sent);
    try {
      const answer = await openGuarded(
        agentFor(["127.0.0.0/8"]),
        new URL(peer.url),
        AbortSignal.timeout(30_000),
      );
      await peer.ended;
      let size = 0;
      for await (const chunk of answer.body) {
        size += chunk.length;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return size;
    } finally {
      await peer.close();
    }
  }

  test.each([SIZE / 2, SIZE, 8 * SIZE])("%d bytes are read completely", async (size) => {
    expect(await readSlowly(size, size)).toBe(size);
  });

  test.each([SIZE / 2, SIZE, 8 * SIZE])(
    "the first %d bytes of a longer response are an error",
    async (size) => {
      await expect(readSlowly(size + 1, size)).rejects.toThrow();
    },
  );
});
