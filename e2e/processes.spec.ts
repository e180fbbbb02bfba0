import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { readStream } from "../lib/testing/read-stream";
import { sendRequest } from "../scripts/instance/call-instance.mjs";
import { openCluster } from "../scripts/instance/open-cluster.mjs";
import { startReceiver } from "../scripts/instance/start-receiver.mjs";
import { runRollingRestart } from "../scripts/lab/rolling-restart/run-rolling-restart.mjs";
import type { FirstRun } from "./test-instance";

type Cluster = Awaited<ReturnType<typeof openCluster>>;
type Process = Awaited<ReturnType<Cluster["startWeb"]>>;

const WAIT = { timeout: 20_000 };

/** A worker claims more deliveries for an endpoint once half of a new endpoint's slots are free. */
const LEAST_HELD = 9;

let dataDir: string;
let cluster: Cluster;
let web: Process;
let otherWeb: Process;
let workers: Process[];
let demo: FirstRun;

// Two web processes and two workers share one database, as on four machines.
test.beforeAll(async () => {
  dataDir = path.join(tmpdir(), `trunkline-processes-${process.pid}`);
  cluster = await openCluster(dataDir);
  web = await cluster.startWeb();
  [otherWeb, ...workers] = await Promise.all([
    cluster.startWeb(),
    cluster.startWorker(),
    cluster.startWorker(),
  ]);
  demo = cluster.firstRun();
});

test.afterAll(async () => {
  await Promise.all([web, otherWeb, ...workers].map((each) => each.stop()));
  await cluster.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function call(
  on: Process,
  what: string,
  { token = demo.token, body }: { token?: string; body?: unknown } = {},
) {
  return sendRequest({ baseUrl: on.baseUrl, token }, what, body);
}

async function send(on: Process, value: string): Promise<string> {
  const message = { parts: [{ type: "text", value }] };
  const body = { from: demo.line, to: [demo.phone], message };
  const answer = await call(on, "POST /v3/chats", { body });
  return answer.body.chat.message.id;
}

async function writeFromPhone(on: Process, text: string): Promise<void> {
  const body = { to: demo.line, text };
  const answer = await call(on, `POST /simulator/phones/${demo.phone}/messages`, { body });
  expect(answer.status).toBe(201);
}

async function subscribe(url: string): Promise<void> {
  const body = { target_url: url, subscribed_events: ["message.received"] };
  const answer = await call(web, "POST /v3/webhook-subscriptions", { body });
  expect(answer.status).toBe(201);
}

test("a stream on one process shows what happens on the others", async () => {
  const stream = await readStream(`${otherWeb.baseUrl}/v3/events/stream`, { token: demo.token });

  const messageId = await send(web, "accepted by one process, sent by another, watched on a third");

  const emitted = () =>
    stream.frames.filter((frame) => frame.data.data.id === messageId).map((frame) => frame.event);
  await expect.poll(emitted, WAIT).toEqual(["message.sent", "message.delivered"]);
  stream.close();
});

test("both workers share the deliveries of one endpoint, and stopping one loses nothing", async () => {
  const receiver = await startReceiver({ hold: true });
  await subscribe(receiver.url);
  const [first, second] = workers;
  if (first === undefined || second === undefined) throw new Error("there are two workers");

  // An endpoint that never responds gets the same share of each worker as an endpoint without history.
  process.kill(second.pid ?? 0, "SIGSTOP");
  await Promise.all(Array.from({ length: 80 }, (_, number) => writeFromPhone(web, `shared ${number}`)));
  const alone = await settled(receiver.open);
  process.kill(second.pid ?? 0, "SIGCONT");
  const together = await settled(receiver.open);
  expect(alone).toBeGreaterThanOrEqual(LEAST_HELD);
  expect(together - alone).toBeGreaterThanOrEqual(LEAST_HELD);

  // One worker is stopped while responses are in flight: it waits for them, and the other worker does the rest.
  await receiver.setPace({ hold: false, leastMs: 20, mostMs: 60 });
  await first.stop();
  await writeFromPhone(otherWeb, "after the stop");

  await expect.poll(waiting, WAIT).toBe(0);
  const requests: { eventId: string }[] = await receiver.report();
  expect(requests).toHaveLength(81);
  expect(new Set(requests.map(({ eventId }) => eventId)).size).toBe(81);
  receiver.stop();
  workers = [await cluster.startWorker(), second];
});

test("limits of messages and requests hold whatever process is asked", async () => {
  const both = [web, otherWeb];
  const options = (set: string) => cluster.query(`update accounts set ${set}`);
  const phone = "+15550177001";
  await call(web, "POST /simulator/phones", { body: { handle: phone } });
  const hello = { to: demo.line, text: "hello" };
  const wrote = await call(web, `POST /simulator/phones/${phone}/messages`, { body: hello });
  const { chat_id } = wrote.body;
  const sendMany = async (count: number) => {
    const body = { message: { parts: [{ type: "text", value: "hi" }] } };
    const answers = await Promise.all(
      Array.from({ length: count }, (_, turn) =>
        call(both[turn % 2] ?? web, `POST /v3/chats/${chat_id}/messages`, { body }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    return [202, 429].map((status) => statuses.filter((one) => one === status).length);
  };

  await options("pair_messages = 10");
  expect(await sendMany(24)).toEqual([10, 14]);

  await options("pair_messages = null, daily_messages = 7");
  expect(await sendMany(24)).toEqual([7, 17]);

  // The processes share their counts every second, so the other process rejects requests although it received few.
  await options("daily_messages = null, requests_per_minute = 40");
  const statusOn = async (on: Process) => (await call(on, "GET /v3/phone_numbers")).status;
  await expect(async () => {
    const busy = await Promise.all(Array.from({ length: 50 }, () => statusOn(web)));
    expect(busy).toContain(429);
    expect(await statusOn(otherWeb)).toBe(429);
  }).toPass(WAIT);
  await options("requests_per_minute = null");
});

test("web processes and workers are replaced one by one, and no request fails or is lost", async () => {
  // Other tests run meanwhile. `npx node scripts/lab/rolling-restart.mjs` does the same under full load.
  const result = await runRollingRestart({ cluster, webs: [web, otherWeb], workers, demo, pauseMs: 100 });
  [web, otherWeb] = result.webs;
  workers = result.workers;

  expect(result.failures).toEqual([]);
  expect(result.accepted.length).toBeGreaterThan(0);
  const unsent = async () => {
    const text = `select from unnest($1::uuid[]) accepted (id)
      where not exists (select from messages where messages.id = accepted.id and sent_at is not null)`;
    return (await cluster.query(text, [result.accepted])).length;
  };
  // All messages are in one chat and are sent one after another, so some are late but none is lost.
  await expect.poll(unsent, { timeout: 120_000 }).toBe(0);
});

// Must be the last test, because the others need the token.
test("a token that is revoked on one process is refused on another at its next request", async ({ page }) => {
  expect((await call(otherWeb, "GET /v3/phone_numbers")).status).toBe(200);
  const stream = await readStream(`${otherWeb.baseUrl}/v3/events/stream`, { token: demo.token });

  await page.goto(`${web.baseUrl}/sign-in`);
  await page.getByLabel("Email").fill(demo.admin.email);
  await page.getByLabel("Password", { exact: true }).fill(demo.admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  const revoked = await page.evaluate(async () => {
    const { tokens } = await (await fetch("/api/tokens")).json();
    return (await fetch(`/api/tokens/${tokens[0].id}`, { method: "DELETE" })).status;
  });
  expect(revoked).toBe(204);

  expect((await call(otherWeb, "GET /v3/phone_numbers")).status).toBe(401);
  await expect.poll(() => stream.isEnded(), WAIT).toBe(true);
  expect(stream.frames.at(-1)?.data.error.code).toBe(2004);
});

async function waiting(): Promise<number> {
  const rows = await cluster.query("select from webhook_deliveries where run_at is not null");
  return rows.length;
}

/** Returns a number once it has not changed for a while. */
async function settled(read: () => Promise<number>): Promise<number> {
  let last = -1;
  for (let same = 0; same < 10; ) {
    const next = await read();
    same = next === last ? same + 1 : 0;
    last = next;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return last;
}
