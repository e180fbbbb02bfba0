import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import pg from "pg";
import { afterEach, expect, inject, test } from "vitest";
import {
  BoundedClient,
  boundedOptions,
  makeSettingsByStatement,
} from "@/lib/platform/postgres/bounded-client";
import { requireUsableDatabase } from "@/lib/platform/postgres/check-database-url";
import { findFreePort } from "@/lib/platform/postgres/find-free-port";
import { startTransactionPooler } from "@/lib/testing/servers/start-transaction-pooler";

const { adminUrl, url } = inject("testServer");

afterEach(() => makeSettingsByStatement(false));

async function messageOf(databaseUrl: string, answerMs?: number): Promise<string> {
  return requireUsableDatabase(databaseUrl, answerMs).then(
    () => "usable",
    (error: Error) => error.message,
  );
}

function changed(change: (parts: URL) => void): string {
  const parts = new URL(url);
  change(parts);
  return parts.toString();
}

test("a PostgreSQL that can be used passes", async () => {
  expect(await messageOf(url)).toBe("usable");
});

test.each([
  ["mysql://root@localhost/db", /DATABASE_URL is not a PostgreSQL URL/],
  ["localhost:5432", /DATABASE_URL is not a PostgreSQL URL/],
  ["postgresql://u:secret@one:5432,two:5432/db", /DATABASE_URL names several hosts \(one:5432,two:5432\)/],
  ["postgresql://u:secret@host:notaport/db", /DATABASE_URL is not a valid URL/],
])(
  "%s is refused with a sentence that names the setting, and without the password",
  async (databaseUrl, sentence) => {
    const message = await messageOf(databaseUrl);
    expect(message).toMatch(sentence);
    expect(message).not.toContain("secret");
  },
);

test("the error names the server that does not answer and the part that is refused", async () => {
  const port = await findFreePort();
  expect(await messageOf(`postgresql://u:secret@127.0.0.1:${port}/db`)).toBe(
    `DATABASE_URL: no server is listening on 127.0.0.1:${port} (ECONNREFUSED). Start PostgreSQL.`,
  );
  expect(await messageOf(changed((parts) => (parts.pathname = "/missing_database")))).toMatch(
    /^DATABASE_URL: the database missing_database does not exist/,
  );
  expect(await messageOf("postgresql://u:secret@nowhere.invalid/db")).toMatch(
    /^DATABASE_URL: the host nowhere.invalid could not be resolved/,
  );
});

test("a server without a free connection is named with its setting", async () => {
  const admin = await connectTo(adminUrl);
  const role = `limited_${crypto.randomUUID().slice(0, 8)}`;
  await admin.query(`create role ${role} login password 'secret' connection limit 1`);
  const limited = changed((parts) => {
    parts.username = role;
    parts.password = "secret";
  });
  const message = await messageOf(limited);
  expect(message).toMatch(/^DATABASE_URL: \S+ has no free connection \(too many connections for role/);
  expect(message).toContain("max_connections");
  await admin.query(`drop role ${role}`);
  await admin.end();
});

test("a pooler that gives one session to several clients is refused", async () => {
  const pooler = await startPooler();
  expect(await messageOf(pooler.url)).toMatch(
    /^DATABASE_URL points to a connection pooler in transaction mode/,
  );
  await pooler.close();
});

test.each(["last used", "in turn"] as const)(
  "a pooler in transaction mode that gives out its connections %s is refused, idle and with other clients",
  async (order) => {
    const pooler = await startTransactionPooler(url, order);
    const refused = /^DATABASE_URL points to a connection pooler in transaction mode/;
    expect(await messageOf(pooler.url)).toMatch(refused);

    // Two transactions at once leave two free connections, which a pooler that takes turns gives to the probe's clients.
    const clients = await Promise.all([1, 2].map(() => connectTo(pooler.url)));
    for (const text of ["begin", "commit"]) await Promise.all(clients.map((client) => client.query(text)));
    expect(pooler.servers).toBe(2);
    expect(await messageOf(pooler.url)).toMatch(refused);

    let isBusy = true;
    const others = clients.map(async (client) => {
      while (isBusy) await client.query("select pg_sleep(0.001)");
    });
    expect(await messageOf(pooler.url)).toMatch(refused);
    isBusy = false;
    await Promise.all(others);
    await Promise.all(clients.map((client) => client.end()));
    await pooler.close();
  },
);

async function connectTo(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  return client;
}

test("a pooler that refuses another parameter is named", async () => {
  const pooler = await startPooler("unsupported startup parameter: search_path");
  expect(await messageOf(pooler.url)).toMatch(
    /^DATABASE_URL: the pooler at .* rejects the connection \(unsupported startup parameter: search_path\)/,
  );
  await pooler.close();
});

test.each(["refuses", "drops"] as const)(
  "behind a pooler in session mode that %s settings at startup, sessions get the same settings",
  async (answer) => {
    const pooler = await startSessionPooler(answer);
    expect(await messageOf(pooler.url)).toBe("usable");

    const settings = { plan_cache_mode: "force_generic_plan", timezone: "UTC" };
    const options = boundedOptions({
      url: pooler.url,
      applicationName: "a test",
      statementMs: 1234,
      settings,
    });
    const pool = new pg.Pool({ ...options, max: 1, Client: BoundedClient });
    const { rows } = await pool.query(
      "select current_setting('statement_timeout') as bound, current_setting('plan_cache_mode') as plans",
    );
    await pool.end();
    await pooler.close();

    expect(rows).toEqual([{ bound: "1234ms", plans: "force_generic_plan" }]);
  },
);

test("a pooler whose connections are all in use is named as the reason", async () => {
  const pooler = await startSessionPooler("refuses", 1);
  expect(await messageOf(pooler.url, 100)).toMatch(
    /^DATABASE_URL: 127\.0\.0\.1:\d+ accepts connections but answers no statement\. If it is a pooler, .* default_pool_size/,
  );
  await pooler.close();
});

/**
 * Behaves like PgBouncer in session mode with the startup parameter `options`, in front of the real PostgreSQL. After
 * the first `free` clients, clients are signed in and wait.
 */
async function startSessionPooler(answer: "refuses" | "drops", free = Number.POSITIVE_INFINITY) {
  const target = new URL(url);
  let served = 0;
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    socket.on("error", () => upstream.destroy());
    upstream.on("error", () => socket.destroy());
    socket.once("data", (startup) => {
      const parameters = startup.toString("latin1", 8).split("\0").slice(0, -2);
      const at = parameters.findIndex((text, index) => index % 2 === 0 && text === "options");
      if (at !== -1 && answer === "refuses") {
        const body = "SFATAL\0C08P01\0Munsupported startup parameter: options\0\0";
        const head = Buffer.from("E\0\0\0\0");
        head.writeInt32BE(body.length + 4, 1);
        return void socket.end(Buffer.concat([head, Buffer.from(body)]));
      }
      if (at !== -1) parameters.splice(at, 2);
      if (++served > free) return void socket.write("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1");
      const kept = Buffer.from(`${parameters.join("\0")}\0\0`, "latin1");
      const head = Buffer.alloc(8);
      head.writeInt32BE(kept.length + 8, 0);
      startup.copy(head, 4, 4, 8);
      upstream.write(Buffer.concat([head, kept]));
      socket.pipe(upstream).pipe(socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: own.toString(), close: () => new Promise((resolve) => server.close(resolve)) };
}

/** Behaves like PgBouncer in transaction mode with two clients: the backend 4711 serves both. */
async function startPooler(refusal?: string) {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5);
    head.write(type, 0);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const ready = message("Z", Buffer.from("I"));
  const column = Buffer.concat([
    Buffer.from([0, 1]),
    Buffer.from("pid\0"),
    Buffer.from([0, 0, 0, 0, 0, 0]),
    Buffer.from([0, 0, 0, 23, 0, 4, 255, 255, 255, 255, 0, 0]),
  ]);
  const answer = Buffer.concat([
    message("T", column),
    message("D", Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 4]), Buffer.from("4711")])),
    message("C", Buffer.from("SELECT 1\0")),
    ready,
  ]);
  const refused = message("E", Buffer.from(`SFATAL\0C08P01\0M${refusal}\0\0`));
  const server = createServer((socket) => {
    let started = false;
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      if (started && bytes[0] === "Q".charCodeAt(0)) socket.write(answer);
      if (!started && refusal !== undefined) socket.end(refused);
      if (!started && refusal === undefined)
        socket.write(Buffer.concat([message("R", Buffer.alloc(4)), ready]));
      started = true;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://u:secret@127.0.0.1:${port}/db?sslmode=disable`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
