import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { residentBytes } from "../../instance/process-memory.mjs";
import { callSteadily } from "./call-steadily.mjs";
import { otherProgramsCpuSeconds } from "./cpu-seconds.mjs";
import { CHAT_PATH, numbered, SEND_BODY } from "./create-tenant.mjs";
import { percentiles } from "./statistics.mjs";

const PASSWORD = "a wrong password";
/** Sends by a program that doesn't stop when a flood delays them. */
const MAX_OPEN = 500;
const MEGABYTE = 1024 * 1024;
/** Routes that read a body before any token or session is known. */
const OPEN_PATHS = ["/api/welcome", "/api/password-reset", "/api/auth/callback/credentials"];
const RELAY_PATH = "/relay/01a00000-0000-7000-8000-000000000000";
const SETTLE_MS = 2000;

/**
 * Measures the time in ms of a program's sends at a constant rate, alone and while `connections` clients of different
 * addresses try passwords as fast as they get answers. One row per round.
 */
export async function measureFlood({ server, tenant, chats, plan, report }) {
  const rows = [];
  for (let round = 0; round < plan.rounds; round++) {
    // In turn, so that neither always comes first.
    const isFloodFirst = round % 2 === 1;
    const first = await timeSends({ server, tenant, chats, plan, isFlooded: isFloodFirst });
    const second = await timeSends({ server, tenant, chats, plan, isFlooded: !isFloodFirst });
    const [alone, beside] = isFloodFirst ? [second, first] : [first, second];
    rows.push({
      round,
      alone: alone.times,
      beside: beside.times,
      attempts: beside.attempts,
      floodSeconds: beside.floodSeconds,
      others: alone.others,
    });
    report(
      `round ${round + 1}/${plan.rounds}, sends beside a sign-in flood: p95 ${alone.times.p95.toFixed(1)} and ${beside.times.p95.toFixed(1)} ms`,
    );
  }
  return { rows, memory: await measureBodies(server, plan.bodies, report) };
}

async function timeSends({ server, tenant, chats, plan, isFlooded }) {
  const flood = isFlooded ? await startFlood(server, plan.connections) : null;
  const floodFrom = performance.now();
  // The first attempts compute their hashes, later ones of the same address wait.
  await sleep(plan.warmUpMs);
  const agent = new http.Agent({ keepAlive: true, maxSockets: MAX_OPEN });
  const times = [];
  const headers = { authorization: `Bearer ${tenant.token}`, "content-type": "application/json" };
  const from = performance.now();
  const othersFrom = otherProgramsCpuSeconds();
  let leftOut = 0;
  await callSteadily(
    { perSecond: plan.perSecond, seconds: plan.seconds, maxOpen: MAX_OPEN, leaveOut: () => leftOut++ },
    async (index) => {
      const path = numbered(CHAT_PATH, (index % chats) + 1);
      const body = SEND_BODY.replace("KEY", `flood ${isFlooded} ${from} ${index}`);
      const at = performance.now();
      const { status } = await post(server, { path, body, headers, agent });
      if (status !== 202) throw new Error(`a send beside the flood was answered ${status}`);
      times.push(performance.now() - at);
    },
  );
  const others = (otherProgramsCpuSeconds() - othersFrom) / ((performance.now() - from) / 1000);
  const attempts = (await flood?.stop()) ?? null;
  // From the first attempt to the last answer: longer than the sends, which begin later and end sooner.
  const floodSeconds = (performance.now() - floodFrom) / 1000;
  agent.destroy();
  if (leftOut > 0) throw new Error(`${leftOut} sends were due while ${MAX_OPEN} were open`);
  return { times: percentiles(times), attempts, floodSeconds, others };
}

/** Returns a function that ends the flood and returns the number of answers by status. */
async function startFlood(server, connections) {
  const csrf = await fetch(`${server.baseUrl}/api/auth/csrf`);
  const { csrfToken } = await csrf.json();
  const cookie = csrf.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  const statuses = {};
  let isOver = false;
  const clients = Array.from({ length: connections }, async (_, client) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let attempt = 0; !isOver; attempt++) {
      const email = `flood${client}.${attempt}@example.com`;
      const body = new URLSearchParams({ csrfToken, email, password: PASSWORD, json: "true" }).toString();
      const headers = { "content-type": "application/x-www-form-urlencoded", cookie };
      const path = "/api/auth/callback/credentials";
      const { status } = await post(server, { path, body, headers, agent, localAddress: addressOf(client) });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    agent.destroy();
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(clients);
      return statuses;
    },
  };
}

// Linux accepts all of 127.0.0.0/8. Elsewhere, the flood comes from one address and is throttled sooner.
function addressOf(client) {
  return process.platform === "linux" ? `127.0.1.${(client % 250) + 1}` : undefined;
}

/** Resolves to the status of the answer; status 0 for a connection that the server closed before one. */
function post({ baseUrl }, { path, body, headers, agent, localAddress }) {
  return new Promise((resolve) => {
    const request = http.request(
      `${baseUrl}${path}`,
      {
        method: "POST",
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
        agent,
        localAddress,
      },
      (response) => {
        response.resume();
        response.once("error", () => resolve({ status: response.statusCode }));
        response.once("end", () => resolve({ status: response.statusCode }));
      },
    );
    request.once("error", () => resolve({ status: 0 }));
    request.end(body);
  });
}

/** The memory of a server while clients without a token send large bodies, in bytes above what it had before. */
async function measureBodies(server, { connections, megabytes }, report) {
  const body = "x".repeat(megabytes * MEGABYTE);
  const rows = [];
  for (const path of [...OPEN_PATHS, RELAY_PATH]) {
    await sleep(SETTLE_MS);
    const before = residentBytes(server.pid);
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, residentBytes(server.pid));
    }, 20);
    const agent = new http.Agent({ maxSockets: connections });
    const headers = { "content-type": "application/json" };
    const sent = Array.from({ length: connections }, () => post(server, { path, body, headers, agent }));
    const answers = await Promise.all(sent);
    agent.destroy();
    clearInterval(timer);
    await sleep(SETTLE_MS);
    const kept = residentBytes(server.pid) - before;
    const statuses = Object.fromEntries(
      [...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]),
    );
    rows.push({ path, most: most - before, kept, statuses });
    report(`${connections} bodies of ${megabytes} MB to ${path}: +${Math.round((most - before) / 1e6)} MB`);
  }
  return rows;
}
