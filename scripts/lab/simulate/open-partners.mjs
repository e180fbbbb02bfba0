import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startTcpProxy } from "../../../lib/testing/servers/start-tcp-proxy.ts";
import { startSmsc } from "../../../lib/testing/vendors/smsc.ts";
import { callInstance } from "../../instance/call-instance.mjs";
import { runAdmin } from "../bench/create-tenant.mjs";
import { openReceivers } from "./open-receivers.mjs";
import { streamOf } from "./stream-of.mjs";

const SMPP_LINE = "+12025550100";
/**
 * Creates the partners of a world, each with a line, people who have a chat with the line, and subscribed receivers. The
 * same people write with all partners.
 */
export async function openPartners({ world, seed, cluster, webs, stops }) {
  const smsc = await startSmsc();
  stops.push(() => smsc.close());
  const vendorProxy = await startTcpProxy(`tcp://127.0.0.1:${smsc.port}`);
  stops.push(() => vendorProxy.close());
  const { token: demo } = cluster.firstRun();
  const partners = await Promise.all(
    world.partners.map(async (plan, index) => {
      const account = await createAccount(
        { baseUrl: webs[0].baseUrl, token: demo },
        { seed: `${seed} ${index}`, transport: plan.transport, cluster, smsc, vendorProxy },
      );
      const people = plan.people.map((person, place) => ({ ...person, handle: handleOf(place) }));
      return {
        ...account,
        plan,
        people,
        chats: [],
        groups: [],
        receivers: [],
        stream: { after: 0, frames: [] },
      };
    }),
  );
  // Messages without replies would flag the lines.
  await cluster.query("update lines set auto_flag_paused_until = now() + interval '1 year'");
  await until(() => smsc.bound === 1);
  for (const [index, partner] of partners.entries()) {
    const program = { baseUrl: webs[0].baseUrl, token: partner.token };
    const random = streamOf(seed, `answers of receivers ${index}`);
    partner.receivers = await openReceivers(program, partner.plan.receivers, { index, random, stops });
    partner.chats = await openChats(program, partner);
    partner.groups = await openGroups(program, partner);
  }
  return { partners, smsc, vendorProxy };
}

function handleOf(place) {
  return `+1555020${String(1000 + place)}`;
}

async function createAccount(program, { seed, transport, cluster, smsc, vendorProxy }) {
  const lines = transport === "smpp" ? 0 : 1;
  const created = await callInstance(program, "POST /simulator/accounts", {
    name: "Simulation",
    seed,
    lines,
  });
  const account = { accountId: created.account_id, token: created.token };
  if (transport !== "smpp") return { ...account, line: created.lines[0] };
  await connectLine({ ...account, cluster, vendorProxy });
  return { ...account, line: SMPP_LINE, smsc };
}

/** Connects a line to the SMS center, as an operator would. */
async function connectLine({ accountId, cluster, vendorProxy }) {
  const line = ["--number", SMPP_LINE, "--type", "RCS", "--transport", "smpp"];
  const created = await runAdmin(cluster, "create-line", "--account", accountId, ...line);
  const file = path.join(cluster.env.DATA_DIR, "smpp.json");
  const connection = {
    host: "127.0.0.1",
    port: new URL(vendorProxy.url).port,
    tls: "off",
    system_id: "trunkline",
  };
  writeFileSync(
    file,
    JSON.stringify({ ...connection, password: "secret", throughput: "1000", window: "20" }),
  );
  await runAdmin(cluster, "connect-line", "--line", created.split(/\s+/)[1], "--file", file);
}

/** People write first: in a sandbox, no one else can be messaged. Returns the chat of each person. */
async function openChats(program, { line, people, smsc }) {
  for (const { handle, delayMs, readAfterMs } of people) {
    const text = "Hello";
    if (smsc !== undefined) {
      smsc.write({ source_addr: handle.slice(1), destination_addr: line.slice(1), short_message: text });
    } else {
      const phone = { handle, delay_ms: delayMs, read_after_ms: readAfterMs };
      await callInstance(program, "POST /simulator/phones", phone);
      await callInstance(program, `POST /simulator/phones/${handle}/messages`, { to: line, text });
    }
  }
  let chats = [];
  await until(async () => {
    ({ chats } = await callInstance(program, "GET /v3/chats?limit=100"));
    return chats.length === people.length;
  });
  const idOf = ({ handle }) => chats.find(({ handles }) => handles.some((one) => one.handle === handle)).id;
  return people.map(idOf);
}

/** Opens the groups of the partner's plan. Returns the chat of each with its members. */
async function openGroups(program, { line, people, plan }) {
  const groups = [];
  for (const places of plan.groups) {
    const members = places.map((place) => people[place].handle);
    const message = { parts: [{ type: "text", value: "Hello everyone" }] };
    const { chat } = await callInstance(program, "POST /v3/chats", { from: line, to: members, message });
    groups.push({ id: chat.id, members });
  }
  return groups;
}

/** Waits for a condition of the begin. */
async function until(look) {
  const end = performance.now() + 60_000;
  while (!(await look())) {
    if (performance.now() > end) throw new Error("the world did not get ready within a minute");
    await sleep(20);
  }
}
