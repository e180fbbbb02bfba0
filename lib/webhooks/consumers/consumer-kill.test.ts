import "@/lib/testing/use-test-database";

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emitEvents } from "@/lib/events/store/emit-event";
import { sql, transaction } from "@/lib/platform/database/db";
import { findFreePort } from "@/lib/platform/postgres/find-free-port";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { testEvent } from "@/lib/testing/events/test-event";
import { bundleProcess, type WorkerProcesses } from "@/lib/testing/processes/start-worker-process";

const isLong = process.env.LONG_TESTS === "1";
const EVENTS = isLong ? 10_002 : 1500;
const KILLS = isLong ? 63 : 8;
/** Every fifth kill hits the server, the others the consumer: 51 of 63. */
const SERVER_EVERY = 5;
const WRITERS = 3;

let account: TestAccount;
let servers: WorkerProcesses;
let port: number;
const folder = mkdtempSync(path.join(tmpdir(), "trunkline-consumer-"));
const seenFile = path.join(folder, "seen");
const running = new Set<ChildProcess>();

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  port = await findFreePort();
  servers =
    await bundleProcess(`import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";
    import { createApiRouter } from "@/lib/runtime/server/api-router";
    import { listen } from "@/lib/runtime/server/http-server";
    import * as POLL from "@/app/v3/consumers/[name]/poll/route";
    import * as ACK from "@/app/v3/consumers/[name]/ack/route";
    registerDependencies();
    const routes = [
      { path: "/v3/consumers/:name/poll", methods: POLL },
      { path: "/v3/consumers/:name/ack", methods: ACK },
    ];
    await listen({ host: "127.0.0.1", port: ${port}, api: createApiRouter(routes), apiThroughNext: false, pages: (_, response) => response.end() });
    console.log("started");`);
});

afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await servers.end();
  rmSync(folder, { recursive: true, force: true });
});

/** A consumer in a process of its own: it writes the number of each event to a file, then acknowledges the batch. */
function startConsumer(): ChildProcess {
  const source = `
    import { appendFileSync } from "node:fs";
    import { setTimeout as sleep } from "node:timers/promises";
    async function post(what, body) {
      const response = await fetch("http://127.0.0.1:${port}/v3/consumers/killed/" + what, {
        method: "POST",
        headers: { authorization: "Bearer ${account.token}", "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(response.status);
      return response.json();
    }
    for (;;) {
      try {
        const { events, lease } = await post("poll", { limit: 25, wait_seconds: 1, lease_seconds: 600 });
        for (const { id, envelope } of events) {
          appendFileSync(${JSON.stringify(seenFile)}, id + " " + envelope.event_id + "\\n");
          if (Math.random() < 0.05) await sleep(2);
        }
        if (lease !== null) await post("ack", { up_to: events.at(-1).id, lease: lease.token });
      } catch { await sleep(20); }
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: "ignore" });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Stores events in transactions that overlap, so that lower numbers commit after higher ones. */
async function write(count: number): Promise<void> {
  for (let left = count; left > 0; ) {
    const size = Math.min(left, 1 + Math.floor(Math.random() * 5));
    left -= size;
    await transaction(async (tx) => {
      await emitEvents(
        tx,
        Array.from({ length: size }, () => testEvent(account.ref.id)),
      );
      if (Math.random() < 0.3) await sleep(Math.random() * 10);
    });
  }
}

function readSeen(): { number: number; eventId: string }[] {
  try {
    const lines = readFileSync(seenFile, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => ({ number: Number(line.split(" ")[0]), eventId: line.split(" ")[1] ?? "" }));
  } catch {
    return [];
  }
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  // The lease of a consumer that was killed ends. Waiting for it would take minutes.
  await sql.runText({ text: "update event_consumers set lease_expires_at = now() where lease is not null" });
}

test(`${KILLS} kills of the consumer and of the server skip none of ${EVENTS} events, and keep their order`, {
  timeout: 900_000,
}, async () => {
  await callApi("PUT /v3/consumers/killed", { token: account.token, body: { types: ["message.sent"] } });
  let server = await servers.start();
  let consumer = startConsumer();
  const writing = Promise.all(Array.from({ length: WRITERS }, () => write(EVENTS / WRITERS)));

  for (let kills = 1; kills <= KILLS; kills++) {
    // The kills are spread over the events.
    const due = Math.floor((EVENTS * kills) / (KILLS + 1));
    while (new Set(readSeen().map(({ number }) => number)).size < due) await sleep(10);
    if (kills % SERVER_EVERY === 0) {
      await kill(server);
      server = await servers.start();
    } else {
      await kill(consumer);
      consumer = startConsumer();
    }
  }
  await writing;
  const rows = await sql.runText<{ seq: string; id: string }>({
    text: "select seq, id from events where account_id = $1 and type = 'message.sent' order by seq",
    values: [account.ref.id],
  });
  const stored = rows.map(({ seq, id }) => ({ number: Number(seq), eventId: id }));
  const last = stored.at(-1)?.number ?? 0;
  while (readSeen().at(-1)?.number !== last) await sleep(20);

  const seen = readSeen();
  const firsts = [...new Map(seen.map((event) => [event.number, event])).values()];
  expect(stored).toHaveLength(WRITERS * (EVENTS / WRITERS));
  expect(firsts).toEqual(stored);
  // A kill repeats at most one batch.
  expect(seen.length - stored.length).toBeLessThanOrEqual(KILLS * 25);
  if (isLong)
    process.stdout.write(`0 of ${stored.length} skipped, ${seen.length - stored.length} repeated\n`);
});
