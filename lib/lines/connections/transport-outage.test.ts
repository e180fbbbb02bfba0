import "@/lib/testing/use-test-database";

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startLineSessions } from "@/lib/lines/connections/keep-sessions";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { startLinePolls } from "@/lib/lines/connections/poll-lines";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql } from "@/lib/platform/database/db";
import { reloadEnv } from "@/lib/platform/env";
import { waitingSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { startPeer } from "@/lib/testing/processes/start-peer";
import { until } from "@/lib/testing/until";
import { startFakeAndroid } from "@/lib/testing/vendors/fake-android";
import { startFakeMac } from "@/lib/testing/vendors/fake-mac";
import { startFakeTwilio } from "@/lib/testing/vendors/fake-twilio";
import { startSmsc } from "@/lib/testing/vendors/smsc";
import { createSimulator, type ResponseOf, type Simulator } from "@/lib/testkit/testing";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1";

/** `npx node scripts/lab/transport-outage.mjs` sets a minute. */
const OUTAGE_SECONDS = Number(process.env.OUTAGE_SECONDS ?? 2);
const BEFORE_MS = 1500;
const CHATS = 8;
/** The laboratory sends more, to measure how fast the messages of an outage go out. */
const [PAUSE_MS, MOST_TEXTS] = process.env.OUTAGE_SECONDS === undefined ? [300, 25] : [100, Infinity];
/** The outcome of a message is unknown (docs/contract.md, section 7.5). */
const UNKNOWN = 4006;

interface Arrival {
  to: string;
  text: string;
}

/** A peer that can be taken away and brought back. */
interface Peer {
  connection: Record<string, string>;
  /** Prepares a person for the messages of a chat. */
  expect?(to: string): Promise<void>;
  kill(): Promise<void>;
  revive(): Promise<void>;
  /** The texts that arrived, with their recipients, in the order of their arrival. */
  arrived(): Arrival[] | Promise<Arrival[]>;
  close(): Promise<void>;
}

const PEERS: Record<string, () => Promise<Peer>> = {
  smpp: async () => {
    let smsc = await startSmsc();
    const earlier: { to: string; text: string }[] = [];
    const { port } = smsc;
    const connection = { host: "127.0.0.1", port: String(port), tls: "off", system_id: "trunkline" };
    return {
      connection: { ...connection, password: "secret", throughput: "1000" },
      async kill() {
        await smsc.close();
        earlier.push(...smsc.messages());
      },
      async revive() {
        smsc = await startSmsc({ port });
      },
      arrived: () => [...earlier, ...smsc.messages()],
      close: () => smsc.close(),
    };
  },
  twilio: async () => {
    const account = { accountSid: `AC${"0".repeat(32)}`, authToken: "token" };
    let twilio = await startFakeTwilio(account);
    const earlier: { to: string; text: string }[] = [];
    const { port, url } = twilio;
    const texts = () => twilio.messages.map(({ to, body }) => ({ to, text: body }));
    return {
      connection: { account_sid: account.accountSid, auth_token: account.authToken, base_url: url },
      async kill() {
        await twilio.close();
        earlier.push(...texts());
      },
      async revive() {
        twilio = await startFakeTwilio({ ...account, port });
      },
      arrived: () => [...earlier, ...texts()],
      close: () => twilio.close(),
    };
  },
  android: async () => {
    let phone = await startFakeAndroid();
    const { port, connection, queue } = phone;
    return {
      connection,
      kill: () => phone.close(),
      async revive() {
        phone = await startFakeAndroid({ port, earlier: phone });
      },
      arrived: () => queue.sent.map(({ to, text }) => ({ to, text })),
      close: () => phone.close(),
    };
  },
  upstream: async () => {
    const trunkline = await startPeer();
    const sim = await createSimulator({ url: trunkline.url, token: trunkline.token, webhooks: false });
    await sim.limits.set({ daily_messages: null, pair_messages: null });
    const people: string[] = [];
    return {
      connection: { base_url: trunkline.url, api_token: sim.token, phone_number: sim.line },
      // A sandbox sends only to people who wrote to it.
      async expect(to) {
        people.push(to);
        await sim.phone(to).says("Hello");
      },
      kill: () => trunkline.kill(),
      revive: () => trunkline.revive(),
      async arrived() {
        return (await Promise.all(people.map((handle) => arrivalsOn(sim, handle)))).flat();
      },
      close: () => trunkline.close(),
    };
  },
  imsg: async () => {
    const mac = await startFakeMac();
    process.env.IMSG_COMMAND = mac.command;
    reloadEnv();
    return {
      connection: {},
      async kill() {
        mac.knobs.down = true;
        mac.crash();
      },
      async revive() {
        mac.knobs.down = false;
      },
      arrived: () => mac.sent.map(({ to, text }) => ({ to, text })),
      close: () => mac.close(),
    };
  },
};

/** The texts that a phone of another Trunkline received, oldest first. */
async function arrivalsOn(sim: Simulator, handle: string): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  let cursor: string | null = null;
  do {
    const page: ResponseOf<"GET /simulator/phones/{handle}/messages"> = await sim.api.call(
      "GET /simulator/phones/{handle}/messages",
      { path: { handle }, query: { limit: "100", ...(cursor !== null && { cursor }) } },
    );
    for (const { from, parts } of page.messages) {
      if (from !== handle) arrivals.push({ to: handle, text: String(parts[0]?.value) });
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  return arrivals.reverse();
}

test.each(Object.keys(PEERS))(
  "%s: while the peer is gone nothing is lost or sent twice, and each chat keeps its order",
  async (transport) => {
    const peer = (await PEERS[transport]?.()) ?? expect.fail();
    const account = await createTestAccount({ type: "production" });
    await connect(account, transport, { throughput: "100", ...peer.connection });
    for (let index = 0; index < CHATS; index++) await peer.expect?.(handleOf(index));
    const running = [startLineSessions(waitingSink), startLinePolls(waitingSink), startDispatch()];
    await untilUp(account);
    const sending = new AbortController();
    const senders = Array.from({ length: CHATS }, (_, index) => sendUntil(account, index, sending.signal));
    try {
      await sleep(BEFORE_MS);
      await peer.kill();
      await sleep(OUTAGE_SECONDS * 1000);
      await peer.revive();
      await sleep(BEFORE_MS);
      sending.abort();
      const accepted = (await Promise.all(senders)).flat();
      const revivedAt = performance.now();
      const messages = await until(async () => {
        const rows = await storedMessages(account);
        return rows.every(({ status }) => !["pending", "queued"].includes(status)) && rows;
      });
      const drainMs = performance.now() - revivedAt;
      const arrived = await untilArrived(peer, messages);
      report({ transport, accepted, messages, arrived, drainMs });
      check({ accepted, messages, arrived });
    } finally {
      sending.abort();
      for (const part of running.reverse()) await part.stop();
      await peer.close();
    }
  },
  (OUTAGE_SECONDS + 480) * 1000,
);

interface StoredMessage {
  text: string;
  status: string;
  code: number | null;
}

async function connect(account: TestAccount, transport: string, connection: Record<string, string>) {
  const [line] = await sql.runText<{ id: string }>({
    text: "update lines set transport = $2 where account_id = $1 returning id",
    values: [account.ref.id, transport],
  });
  await setLineConnection({ accountId: account.ref.id, id: line?.id ?? "" }, connection);
}

/** A line whose transport checks it first waits for the check. */
async function untilUp(account: TestAccount): Promise<void> {
  await until(async () => {
    const [line] = await sql.runText<{ is_ready: boolean }>({
      text: `select is_up and (transport <> 'upstream' or upstream_lines is not null) as is_ready
             from lines where account_id = $1`,
      values: [account.ref.id],
    });
    return line?.is_ready;
  });
}

/** The arrivals, once the peer has delivered each message that it accepted. */
async function untilArrived(peer: Peer, messages: StoredMessage[]): Promise<Arrival[]> {
  const sent = messages.filter(({ status }) => status !== "failed").length;
  return until(async () => {
    const arrived = await peer.arrived();
    return arrived.length >= sent && arrived;
  });
}

function handleOf(index: number): string {
  return `+1555014${1000 + index}`;
}

/** Sends numbered texts to one person, up to MOST_TEXTS. Returns the texts that were accepted, in order. */
async function sendUntil(account: TestAccount, index: number, signal: AbortSignal): Promise<string[]> {
  const to = handleOf(index);
  const first = `${to} 0`;
  const accepted = [first];
  const { chatId } = await account.sendFirst(to, { parts: [{ type: "text", value: first }] });
  for (let count = 1; !signal.aborted && count < MOST_TEXTS; count++) {
    const value = `${to} ${count}`;
    const { status } = await callApi(`POST /v3/chats/${chatId}/messages`, {
      token: account.token,
      body: { message: { parts: [{ type: "text", value }] } },
    });
    expect(status).toBe(202);
    accepted.push(value);
    await sleep(PAUSE_MS);
  }
  return accepted;
}

function storedMessages(account: TestAccount): Promise<StoredMessage[]> {
  return sql.runText<StoredMessage>({
    text: `select parts->0->>'value' as text, delivery_status::text as status, failure_code as code from messages
           where account_id = $1 and is_from_me order by position`,
    values: [account.ref.id],
  });
}

interface Outcome {
  accepted: string[];
  messages: StoredMessage[];
  arrived: Arrival[];
}

function check({ accepted, messages, arrived }: Outcome): void {
  expect(messages.map(({ text }) => text).sort()).toEqual([...accepted].sort());
  const texts = arrived.map(({ text }) => text);
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  const failed = messages.filter(({ status }) => status === "failed");
  expect(failed.filter(({ code }) => code !== UNKNOWN)).toEqual([]);
  // A chat has at most one message in progress when its peer goes away.
  expect(failed.length).toBeLessThanOrEqual(CHATS);
  const unknown = new Set(failed.map(({ text }) => text));
  const missing = messages.filter(({ text }) => !texts.includes(text) && !unknown.has(text));
  expect(missing).toEqual([]);
  for (const [to, ofChat] of Map.groupBy(arrived, (each) => each.to)) {
    const order = accepted.filter((text) => text.startsWith(to));
    const seen = ofChat.map(({ text }) => text);
    expect(seen).toEqual(order.filter((text) => seen.includes(text)));
  }
}

function report(run: {
  transport: string;
  accepted: string[];
  messages: StoredMessage[];
  arrived: Arrival[];
  drainMs: number;
}): void {
  if (process.env.OUTAGE_SECONDS === undefined) return;
  const unknown = run.messages.filter(({ status }) => status === "failed").length;
  process.stdout.write(
    `${run.transport}: ${run.accepted.length} accepted during ${OUTAGE_SECONDS} s without the peer, ` +
      `${run.arrived.length} arrived, ${unknown} with an unknown outcome, ` +
      `the last ${(run.drainMs / 1000).toFixed(1)} s after the last request\n`,
  );
}
