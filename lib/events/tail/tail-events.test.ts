import "@/lib/testing/use-test-database";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { LoggedEvent } from "@/lib/events/store/logged-event";
import { countFinal } from "@/lib/events/tail/read-final-events";
import { tailEvents } from "@/lib/events/tail/tail-events";
import { dedicatedClient } from "@/lib/platform/database/db";
import { newId, newTraceId } from "@/lib/platform/ids";

const account = newId(Date.now());
const HELD_MS = 600;
// The tail gets no notification here: it polls once a second.

let clients: pg.Client[] = [];
let received: LoggedEvent[] = [];
let tail: { from: number; stop(): void };

beforeEach(async () => {
  received = [];
  tail = await tailEvents((events) => received.push(...events));
});

afterEach(async () => {
  tail.stop();
  await Promise.all(clients.map((client) => client.end()));
  clients = [];
});

async function connection(): Promise<pg.Client> {
  const client = dedicatedClient(60_000);
  await client.connect();
  clients.push(client);
  return client;
}

/** Stores an event and returns its number. */
async function insertEvent(client: pg.Client, type: string): Promise<number> {
  const { rows } = await client.query<{ seq: string }>(
    `insert into events (account_id, id, type, trace_id, data, created_at) values ($1, $2, $3, $4, '{}', now())
     returning seq`,
    [account, newId(Date.now()), type, newTraceId()],
  );
  return Number(rows[0]?.seq);
}

function types(): string[] {
  return received.filter((event) => event.accountId === account).map((event) => event.type);
}

test("an event whose transaction commits late is streamed first and not lost", async () => {
  const [slow, quick] = [await connection(), await connection()];
  await slow.query("begin");
  const early = await insertEvent(slow, "early");
  const late = await insertEvent(quick, "late");
  expect(early).toBeLessThan(late);

  await sleep(HELD_MS);
  expect(types()).toEqual([]);
  await slow.query("commit");

  await expect.poll(types).toEqual(["early", "late"]);
});

test("a number is waited for although its transaction has a newer id than any that ended", async () => {
  const [older, newer] = [await connection(), await connection()];
  await older.query("begin");
  await older.query("select pg_current_xact_id()");
  await newer.query("begin");
  await insertEvent(newer, "first number");
  await insertEvent(older, "second number");
  await older.query("commit");

  await sleep(HELD_MS);
  expect(types()).toEqual([]);
  await newer.query("commit");

  await expect.poll(types).toEqual(["first number", "second number"]);
});

test("a rolled back number is passed once its transaction has ended, whatever else is open", async () => {
  const [rolledBack, unrelated, quick] = [await connection(), await connection(), await connection()];
  await unrelated.query("begin");
  await unrelated.query("select pg_current_xact_id()");
  await rolledBack.query("begin");
  await insertEvent(rolledBack, "never");
  await insertEvent(quick, "after the gap");

  await sleep(HELD_MS);
  expect(types()).toEqual([]);
  await rolledBack.query("rollback");

  await expect.poll(types).toEqual(["after the gap"]);
});

test("a listener that starts while a transaction is open begins behind it", async () => {
  const slow = await connection();
  await slow.query("begin");
  const early = await insertEvent(slow, "before the start");
  await insertEvent(await connection(), "seen");
  tail.stop();

  const starting = tailEvents((events) => received.push(...events));
  await sleep(200);
  await slow.query("commit");
  tail = await starting;

  expect(tail.from).toBeGreaterThan(early);
  await insertEvent(slow, "after the start");
  await expect.poll(types).toEqual(["after the start"]);
});

test("under concurrent commits and rollbacks every listener hears every event once, in order", async () => {
  const writers = await Promise.all(Array.from({ length: 8 }, connection));
  const committed: number[] = [];
  await Promise.all(
    writers.map(async (client, writer) => {
      for (let round = 0; round < 40; round++) {
        await client.query("begin");
        const seq = await insertEvent(client, "concurrent");
        await sleep((writer * 7 + round * 3) % 12);
        const keep = (writer + round) % 5 !== 0;
        await client.query(keep ? "commit" : "rollback");
        if (keep) committed.push(seq);
      }
    }),
  );

  const expected = committed.toSorted((left, right) => left - right);
  await expect.poll(() => received.length).toBe(expected.length);
  expect(received.map((event) => event.seq)).toEqual(expected);
});

test.each([
  { seen: [5, 6, 7], cursor: 4, absentThrough: 0, final: 3 },
  { seen: [5, 7, 8], cursor: 4, absentThrough: 0, final: 1 },
  { seen: [6, 7], cursor: 4, absentThrough: 5, final: 2 },
  { seen: [6, 9], cursor: 4, absentThrough: 6, final: 1 },
  { seen: [], cursor: 4, absentThrough: 0, final: 0 },
])("$final are final of $seen after $cursor, with absences known to $absentThrough", (row) => {
  const seen = row.seen.map((seq) => ({ seq }));
  expect(countFinal(seen, row.cursor, row.absentThrough)).toBe(row.final);
});
