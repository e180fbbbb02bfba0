import { fileURLToPath } from "node:url";
import { callInstance } from "../../instance/call-instance.mjs";
import { findFreePort } from "../../instance/find-free-port.mjs";
import { startProcess } from "../../instance/start-process.mjs";
import { startReceiver } from "../../instance/start-receiver.mjs";
import { startNextServer, startServer } from "../../instance/start-server.mjs";
import { addPhones, CHAT_PATH, copyChats, createTenant, numbered, SEND_BODY } from "./create-tenant.mjs";

export const CHATS = 1000;

const BARE_SERVER = fileURLToPath(new URL("bare-server.mjs", import.meta.url));
const HEADERS_OF_THE_CONNECTION = new Set(["connection", "date", "keep-alive", "transfer-encoding"]);

/**
 * Starts the servers that sends are measured on: a server without a worker, the same handler under `next start`, a
 * minimal server that returns the same bytes, and a server with a worker, one webhook subscription and its own
 * database.
 */
export async function openStage(databases) {
  const [tenant, workerTenant] = await Promise.all([
    createTenant(databases.withoutWorker, "production"),
    createTenant(databases.withWorker, "sandbox"),
  ]);
  const web = await startServer({ ...databases.withoutWorker.env, ROLE: "web" });
  const withWorker = await startServer({ ...databases.withWorker.env, ROLE: "all" });
  const next = await startNextServer({ ...databases.withoutWorker.env, ROLE: "web" });
  const receiver = await startReceiver();

  await addChats(web, databases.withoutWorker, tenant);
  await addPhones(withWorker, databases.withWorker, workerTenant, CHATS);
  await callInstance(
    { baseUrl: withWorker.baseUrl, token: workerTenant.token },
    "POST /v3/webhook-subscriptions",
    {
      target_url: receiver.url,
      subscribed_events: ["message.sent"],
    },
  );
  const bare = await startBareServer(web, tenant);

  const targetOn = ({ baseUrl }, { token }) => ({
    baseUrl,
    path: CHAT_PATH,
    token,
    count: CHATS,
    body: SEND_BODY,
  });
  return {
    tenant,
    workerTenant: { ...workerTenant, chats: CHATS },
    web,
    withWorker,
    receiver,
    targetOn,
    contenders: [
      { name: "server", pid: web.pid, database: databases.withoutWorker, target: targetOn(web, tenant) },
      {
        name: "next start",
        pid: next.pid,
        database: databases.withoutWorker,
        target: targetOn(next, tenant),
      },
      { name: "bare node:http", pid: bare.pid, target: targetOn(bare, tenant) },
      {
        name: "server + worker",
        pid: withWorker.pid,
        database: databases.withWorker,
        target: targetOn(withWorker, workerTenant),
        hasWorker: true,
      },
    ],
    async stopOthers() {
      await Promise.all([next.stop(), bare.stop()]);
    },
    async close() {
      receiver.stop();
      await Promise.all([web, withWorker, next, bare].map((server) => server.stop()));
    },
  };
}

async function addChats({ baseUrl }, database, { accountId, line, token }) {
  await callInstance({ baseUrl, token }, "POST /v3/chats", {
    from: line,
    to: ["+15550100101"],
    message: { parts: [{ type: "text", value: "Hello" }] },
  });
  await copyChats(database, accountId, CHATS);
}

async function startBareServer({ baseUrl }, { token }) {
  const answer = await fetch(`${baseUrl}${numbered(CHAT_PATH, 1)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ message: { parts: [{ type: "text", value: "Hello" }] } }),
  });
  const headers = [...answer.headers].filter(([name]) => !HEADERS_OF_THE_CONNECTION.has(name));
  const BARE_ANSWER = JSON.stringify({
    status: answer.status,
    headers: Object.fromEntries(headers),
    body: await answer.text(),
  });
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const bare = await startProcess({
    args: [BARE_SERVER],
    env: { PORT: String(port), BARE_ANSWER },
    readyUrl: url,
  });
  return { ...bare, baseUrl: url };
}
