// npx node scripts/lab/bench-smpp.mjs [--messages 2000] [--connections 20] [--rounds 3]: from HTTP to the SMS center, Trunkline
// beside Debian's Kannel, alternately with the same SMS center. A round ends when the SMS center has every message. Both
// keep accepted messages: Trunkline in PostgreSQL, committed before the response, Kannel in spool files. Requires
// `npm run build` and Kannel (apt install kannel, or KANNEL_BIN).
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "../../lib/platform/postgres/embedded-postgres.ts";
import { startSmsc } from "../../lib/testing/vendors/smsc.ts";
import { callInstance } from "../instance/call-instance.mjs";
import { findFreePort } from "../instance/find-free-port.mjs";
import { startServer } from "../instance/start-server.mjs";
import { WITHOUT_LIMITS } from "../instance/without-limits.mjs";
import { findKannel, writeKannelConfig } from "./kannel/kannel.mjs";

const LIMIT_MS = 120_000;
const LINE = "+12025550100";
const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "2000" },
    connections: { type: "string", default: "20" },
    rounds: { type: "string", default: "3" },
  },
});
const messages = Number(values.messages);
const connections = Number(values.connections);

const boxes = findKannel();
if (boxes === null) process.exit(0);
const directory = mkdtempSync(path.join(os.tmpdir(), "trunkline-bench-smpp-"));
const smsc = await startSmsc();
const closing = [() => smsc.close()];
try {
  const viaKannel = await startKannel();
  const viaTrunkline = await startTrunkline();
  await measure(viaKannel, connections * 2);
  await measure(viaTrunkline, connections * 2);
  for (let round = 1; round <= Number(values.rounds); round++) {
    const kannel = await measure(viaKannel, messages);
    const trunkline = await measure(viaTrunkline, messages);
    const ratio = (trunkline / kannel).toFixed(2);
    process.stdout.write(
      `round ${round}: Trunkline ${Math.round(trunkline)} per second, Kannel ${Math.round(kannel)}, ratio ${ratio}\n`,
    );
  }
} finally {
  for (const close of closing.reverse()) await close();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);

/** Sends `count` messages and returns the messages per second until the SMS center has all. */
async function measure(send, count) {
  const before = smsc.submits().length;
  const startedAt = performance.now();
  let next = 0;
  const lanes = Array.from({ length: connections }, async (_, lane) => {
    while (next++ < count) await send(lane);
  });
  await Promise.all(lanes);
  await until("every message", () => smsc.submits().length >= before + count);
  return (count * 1000) / (performance.now() - startedAt);
}

async function startKannel() {
  const ports = { admin: await findFreePort(), smsbox: await findFreePort(), sendsms: await findFreePort() };
  const inboundUrl = "http://127.0.0.1:9/";
  const config = writeKannelConfig(directory, { ports, smscPort: smsc.port, inboundUrl });
  for (const box of [boxes.bearerbox, boxes.smsbox]) {
    const child = spawn(box, ["-v", "4", config], { stdio: "ignore", cwd: directory });
    closing.push(() => child.kill("SIGKILL"));
    if (box === boxes.bearerbox) await until("the bind of Kannel", () => smsc.bound === 1);
  }
  const url = `http://127.0.0.1:${ports.sendsms}/cgi-bin/sendsms`;
  await until("Kannel's smsbox", () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
  return async (lane) => {
    const query = new URLSearchParams({ username: "tester", password: "secret", from: "12025550100" });
    query.set("to", personOf(lane).slice(1));
    query.set("text", "Your table is ready.");
    const response = await fetch(`${url}?${query}`);
    await response.text();
    if (response.status !== 202) throw new Error(`sendsms responded ${response.status}`);
  };
}

async function startTrunkline() {
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(directory, "data") });
  closing.push(() => postgres.stop());
  const env = {
    DATABASE_URL: postgres.url,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    DATA_DIR: path.join(directory, "data"),
    TRANSPORT_ALLOW_PRIVATE: "127.0.0.1",
    ...WITHOUT_LIMITS,
  };
  const server = await startServer(env);
  closing.push(() => server.stop());
  const admin = (...args) =>
    execFileSync(process.execPath, ["dist/admin.mjs", ...args], {
      env: { ...process.env, ...env, NODE_ENV: "production" },
      encoding: "utf8",
    });
  const idIn = (output) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(output)?.[0] ?? "";
  const partner = idIn(admin("create-partner", "--name", "Bench"));
  const account = idIn(
    admin("create-account", "--partner", partner, "--name", "main", "--type", "production"),
  );
  const options = JSON.stringify({ pair_messages: null, daily_messages: null });
  admin("set-account-options", "--account", account, "--options", options);
  const line = idIn(
    admin("create-line", "--account", account, "--number", LINE, "--type", "RCS", "--transport", "smpp"),
  );
  const file = path.join(directory, "smpp.json");
  const login = { system_id: "trunkline", password: "secret", throughput: "10000", window: "100" };
  writeFileSync(file, JSON.stringify({ host: "127.0.0.1", port: String(smsc.port), tls: "off", ...login }));
  admin("connect-line", "--line", line, "--file", file);
  const [token] = admin("create-token", "--account", account, "--name", "bench").split("\n");
  await until("the bind of Trunkline", () => smsc.bound === 2);

  const chats = [];
  const post = (route, body) => callInstance({ baseUrl: server.baseUrl, token }, `POST ${route}`, body);
  const message = { parts: [{ type: "text", value: "Your table is ready." }] };
  for (let lane = 0; lane < connections; lane++) {
    const { chat } = await post("/v3/chats", { from: LINE, to: [personOf(lane)], message });
    chats.push(chat.id);
  }
  return (lane) => post(`/v3/chats/${chats[lane]}/messages`, { message });
}

function personOf(lane) {
  return `+1555016${1000 + lane}`;
}

async function until(what, look) {
  const end = performance.now() + LIMIT_MS;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`${what} did not arrive`);
    await sleep(5);
  }
}
