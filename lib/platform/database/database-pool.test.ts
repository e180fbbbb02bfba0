import "@/lib/testing/use-test-database";
import "@/lib/testing/capture-log";

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { batched } from "@/lib/platform/database/batch";
import { classifyOutage, outageOf } from "@/lib/platform/database/database-outage";
import { DatabasePool } from "@/lib/platform/database/database-pool";
import { inBackground, inScope, newScope } from "@/lib/platform/database/database-scope";
import { closeDatabase, prisma, sql, transaction } from "@/lib/platform/database/db";
import { BoundedClient, boundedOptions } from "@/lib/platform/postgres/bounded-client";
import { startTcpProxy } from "@/lib/testing/servers/start-tcp-proxy";

const STATEMENT_SECONDS = 1;

const proxy = await startTcpProxy(process.env.DATABASE_URL ?? "");
process.env.DATABASE_URL = proxy.url;
process.env.DATABASE_TIMEOUT_SECONDS = String(STATEMENT_SECONDS);

beforeAll(async () => {
  await sql.runText({ text: "create table notes (id int primary key, text text not null)" });
});

afterEach(() => proxy.setMode("forward"));

afterAll(async () => {
  await closeDatabase();
  await proxy.close();
});

const SLOW = { text: `select pg_sleep(${3 * STATEMENT_SECONDS})` };
const ONE = { text: "select 1 as one" };

const insert = (id: number) => ({ text: "insert into notes values ($1, 'note')", values: [id] });

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => outageOf(error),
  );
}

test("connections that went silent hold up one statement each at most, and are replaced", async () => {
  await Promise.all(Array.from({ length: 4 }, () => sql.runText({ text: "select pg_sleep(0.05)" })));
  const before = proxy.accepted;
  proxy.silenceOpen();

  expect(await failureOf(sql.runText(ONE))).toBe("unknown");
  // The idle connections were closed too, so the next statements do not wait for each of them in turn.
  expect(await Promise.all([1, 2, 3].map(() => sql.runText(ONE)))).toHaveLength(3);
  expect(proxy.accepted).toBeGreaterThan(before);
});

test("a statement whose connection is closed because the server is silent may have been committed", async () => {
  const url = process.env.DATABASE_URL ?? "";
  const client = new BoundedClient(boundedOptions({ url, applicationName: "test", statementMs: 1000 }));
  await client.connect();
  const running = client.query(SLOW).catch((error: unknown) => error);
  client.drop("the database did not respond in time");

  expect(classifyOutage(await running)).toBe("unknown");
});

test("a server that ends the connection in the moment it is ready fails the statement, not the process", async () => {
  const text = (value: string) => Buffer.from(`${value}\0`);
  const message = (type: string, ...body: Buffer[]) => {
    const content = Buffer.concat(body);
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(content.length + 4, 1);
    return Buffer.concat([head, content]);
  };
  const fields = ["SFATAL", "VFATAL", "C57P01", "Mterminating connection due to administrator command"];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () =>
      socket.end(
        Buffer.concat([
          message("R", Buffer.alloc(4)),
          message("Z", Buffer.from("I")),
          message("E", ...fields.map(text), Buffer.alloc(1)),
        ]),
      ),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `postgresql://user:none@127.0.0.1:${port}/none`;
  const pool = new DatabasePool(boundedOptions({ url, applicationName: "test", statementMs: 1000 }));

  await expect(pool.query({ text: "select 1" } as never)).rejects.toThrow();

  await pool.end();
  server.close();
});

test("a silent connection of one pool closes the idle connections of every pool", async () => {
  const onEach = () => [
    sql.runText({ name: "one", ...ONE }),
    sql.runText(ONE),
    inBackground(() => sql.runText(ONE)),
  ];
  await Promise.all(onEach());
  proxy.silenceOpen();

  expect(await failureOf(sql.runText(ONE))).toBe("unknown");
  expect(await Promise.all(onEach())).toEqual(Array(3).fill([{ one: 1 }]));
});

test("a transaction on a silent connection fails once, and its connection is not handed out again", async () => {
  const failed = transaction(async (tx) => {
    await tx.runText(ONE);
    proxy.silenceOpen();
    await tx.runText(insert(1));
  });
  expect(await failureOf(failed)).toBe("unknown");
  expect(await sql.runText({ text: "select from notes" })).toEqual([]);
});

test("Prisma's statements and transactions have the same bound", async () => {
  proxy.silenceOpen();
  const failed = prisma().$transaction(async (tx) => {
    await tx.account.count();
    proxy.silenceOpen();
    await tx.account.count();
  });
  await expect(failed).rejects.toThrow();
  expect(await prisma().account.count()).toBe(0);
});

test("a connection that ends between two statements of a transaction fails the transaction, not the process", async () => {
  const failed = transaction(async (tx) => {
    const [row] = await tx.runText<{ pid: number }>({ text: "select pg_backend_pid() as pid" });
    await sql.runText({ text: "select pg_terminate_backend($1, 5000)", values: [row?.pid] });
    await new Promise(setImmediate);
    await tx.runText(insert(2));
  });
  expect(await failureOf(failed)).not.toBeNull();
  expect(await sql.runText(ONE)).toEqual([{ one: 1 }]);
});

test("the server ends a statement of a request at its bound; background work and searches have their own", async () => {
  // A connection must be open within a second, which a busy machine can miss. The bounds are those of statements.
  const connect = () => Promise.all([sql.runText(ONE), inBackground(() => sql.runText(ONE))]);
  await expect.poll(() => failureOf(connect())).toBeNull();

  expect(await failureOf(sql.runText(SLOW))).toBe("refused");
  expect(await inBackground(() => sql.runText(SLOW))).toHaveLength(1);
  const slow = (tx: typeof sql) => tx.runText(SLOW);
  expect(await transaction(slow, { statementMs: 10_000 })).toHaveLength(1);
  expect(await failureOf(transaction(slow, { statementMs: 50 }))).toBe("refused");
});

test("a scope knows whether a write may have been committed", async () => {
  async function scopeOf(work: () => Promise<unknown>) {
    const scope = newScope();
    // Prisma starts a query only when it is awaited.
    await inScope(scope, async () => void (await work())).catch(() => undefined);
    return scope;
  }
  const wrote = (scope: { mayHaveWritten: boolean }) => scope.mayHaveWritten;

  expect(wrote(await scopeOf(() => sql.runText(ONE)))).toBe(false);
  expect(wrote(await scopeOf(() => sql.runText(insert(3))))).toBe(true);
  expect(wrote(await scopeOf(() => sql.runText(insert(3))))).toBe(false);
  expect(wrote(await scopeOf(() => transaction((tx) => tx.runText(insert(4)))))).toBe(true);
  expect(wrote(await scopeOf(() => transaction((tx) => tx.runText(insert(3)))))).toBe(false);
  expect(wrote(await scopeOf(() => transaction((tx) => tx.runText(ONE))))).toBe(false);

  await closeDatabase();
  proxy.setMode("refuse");
  const unsent = await scopeOf(() => sql.runText(insert(5)));
  expect(unsent).toMatchObject({ mayHaveWritten: false, sawOutage: true });
  const viaPrisma = await scopeOf(() => prisma().account.count());
  expect(viaPrisma).toMatchObject({ mayHaveWritten: false, sawOutage: true });
  proxy.setMode("forward");

  const cut = await scopeOf(async () => {
    await sql.runText(ONE);
    proxy.silenceOpen();
    await sql.runText(insert(6));
  });
  expect(cut).toMatchObject({ mayHaveWritten: true, sawOutage: true });
});

test("a batch that may have been committed is not run again, and each of its items gets the error", async () => {
  const runs: number[] = [];
  const store = batched<number, void>({
    async runOne(id) {
      runs.push(1);
      await sql.runText(insert(id));
    },
    async runMany(ids) {
      runs.push(ids.length);
      proxy.silenceOpen();
      await sql.runText({ text: "insert into notes select unnest($1::int[]), 'note'", values: [ids] });
      return ids.map(() => undefined);
    },
  });
  await sql.runText(ONE);
  const scopes = [10, 11, 12].map((id) => ({ id, scope: newScope() }));
  const failures = await Promise.all(
    scopes.map(({ id, scope }) => failureOf(inScope(scope, () => store(id)))),
  );

  expect(runs).toEqual([3]);
  expect(failures).toEqual(["unknown", "unknown", "unknown"]);
  expect(scopes.map(({ scope }) => scope.mayHaveWritten)).toEqual([true, true, true]);
});

test("a read-only database has refused: nothing was written", async () => {
  const refused = await failureOf(
    transaction(async (tx) => {
      await tx.runText({ text: "set transaction read only" });
      await tx.runText(insert(20));
    }),
  );
  expect(refused).toBe("refused");
});
