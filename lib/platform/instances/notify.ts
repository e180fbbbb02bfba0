import "server-only";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { dedicatedClient, LISTENER_NAME, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import {
  broadcastWakeUps,
  setWakeUpBroadcast,
  TOPICS,
  type Topic,
  wakeLocally,
} from "@/lib/platform/database/wake";
import { MESSAGE_CHANNEL, receiveInstanceMessage } from "@/lib/platform/instances/instance-messages";
import { log } from "@/lib/platform/telemetry/log";
import { createBackoff } from "@/lib/platform/time/backoff";

const CHANNEL = "trunkline";
/** Sent with every topic by a process that starts to listen. The others answer with every topic. */
const HELLO = "hello";
const COUNT_LISTENERS = {
  text: `select count(*)::int as listeners from pg_stat_activity
         where datname = current_database() and application_name = $1`,
  values: [LISTENER_NAME],
};
const COALESCE_MS = 15;
/** On a working connection, LISTEN and the heartbeat get a response within this time. */
const RESPONSE_TIMEOUT_MS = 2000;
const HEARTBEAT_MS = 5000;
const RECONNECT = { leastMs: 100, mostMs: 2000 };

export interface JoinOptions {
  /** The pauses between connection attempts. */
  leastMs?: number;
  mostMs?: number;
  /** The interval between checks of the connection, which is also the time limit for each response. */
  heartbeatMs?: number;
  answerMs?: number;
}

/** This process among those that listen on the database. */
interface Self {
  id: string;
  /** Known to be the only one, so no notification is needed. */
  isAlone: boolean;
  /** The number of notifications received from other processes. */
  received: number;
}

/**
 * Connects this process to the others on the database. Wake-ups are sent as NOTIFY, outside every transaction and at
 * most one statement per 15 ms (inside the hot statement NOTIFY halves its rate), and received with LISTEN. A process
 * that is the only listener sends none: each heartbeat counts the listeners, and a new one announces itself. At most
 * one LISTEN connection is open at any time, and a lost one is replaced after an increasing pause. Rejects when the
 * first connection can't be opened. Returns a function that disconnects.
 */
export async function connectToInstances(options: JoinOptions = {}): Promise<() => Promise<void>> {
  const self: Self = { id: randomUUID(), isAlone: false, received: 0 };
  const leaving = new AbortController();
  const first = await listen(self, options);
  const listening = keepListening(first, self, options, leaving.signal);
  const stopTelling = createWakeUpBroadcast(self);
  return async () => {
    stopTelling();
    leaving.abort();
    await listening;
  };
}

/** A connection that listens, until it is closed. */
interface Listener {
  /** Resolves when the connection has closed, for any reason. */
  ended: Promise<void>;
  close(): Promise<void>;
}

async function keepListening(
  first: Listener,
  self: Self,
  options: JoinOptions,
  leaving: AbortSignal,
): Promise<void> {
  const backoff = createBackoff({ ...RECONNECT, ...options });
  const left = new Promise<void>((resolve) => leaving.addEventListener("abort", () => resolve()));
  let current: Listener | null = first;
  while (!leaving.aborted) {
    if (current !== null) {
      backoff.reset();
      await Promise.race([current.ended, left]);
      await current.close();
    }
    await Promise.race([sleep(backoff.next(), undefined, { ref: false }), left]);
    if (leaving.aborted) return;
    current = await listen(self, options).catch((error: Error) => {
      log.warn({ error: error.message }, "the LISTEN connection can't be opened yet");
      return null;
    });
  }
  await current?.close();
}

/** Opens a connection and starts LISTEN. On failure the connection is closed before the error is thrown. */
async function listen(self: Self, options: JoinOptions): Promise<Listener> {
  const client = dedicatedClient(options.answerMs ?? RESPONSE_TIMEOUT_MS);
  let leaving = false;
  const ended = new Promise<void>((resolve) =>
    client.once("end", () => {
      self.isAlone = false;
      resolve();
    }),
  );
  client.on("error", (error) => {
    if (!leaving) log.warn({ error: error.message }, "the LISTEN connection was lost");
  });
  client.on("notification", ({ channel, payload = "" }) => {
    if (channel === MESSAGE_CHANNEL) receiveInstanceMessage(payload);
    else receive(payload, self);
  });

  async function close(): Promise<void> {
    leaving = true;
    clearTimeout(heart);
    client.drop("the LISTEN connection is closed");
    await ended;
  }

  let heart: NodeJS.Timeout | undefined;
  // A network that drops every packet closes no connection, so only an unanswered heartbeat reveals it.
  function sendHeartbeat(): void {
    heart = setTimeout(() => {
      const receivedBefore = self.received;
      client.query<{ listeners: number }>(COUNT_LISTENERS).then(
        ({ rows }) => {
          // 0 behind a pooler that hides the names of its connections. Another process that announced itself since the
          // heartbeat was sent may be missing in the count.
          self.isAlone = rows[0]?.listeners === 1 && self.received === receivedBefore;
          sendHeartbeat();
        },
        () => undefined,
      );
    }, options.heartbeatMs ?? HEARTBEAT_MS).unref();
  }
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    await client.query(`listen ${MESSAGE_CHANNEL}`);
    // With every topic, because the process sent nothing while it wrongly took itself for the only one: its lost
    // connection did not tell it about a new listener.
    await client.query("select pg_notify($1, $2)", [CHANNEL, [self.id, HELLO, ...TOPICS].join(" ")]);
  } catch (error) {
    await close();
    throw error;
  }
  sendHeartbeat();
  // Notifications sent before this connection listened are lost, so each topic is woken once.
  for (const topic of TOPICS) wakeLocally(topic);
  return { ended, close };
}

const NOTIFY = statement("notify", "select pg_notify(:channel, :payload)");

function createWakeUpBroadcast(self: Self): () => void {
  const pending = new Set<Topic>();
  let timer: NodeJS.Timeout | null = null;

  async function send(): Promise<void> {
    timer = null;
    const payload = [self.id, ...pending].join(" ");
    pending.clear();
    await sql
      .run(NOTIFY, { channel: CHANNEL, payload })
      .catch((error: Error) => log.warn({ error: error.message }, "other instances were not notified"));
  }

  setWakeUpBroadcast((topic) => {
    if (self.isAlone) return;
    pending.add(topic);
    timer ??= setTimeout(send, COALESCE_MS);
  });
  return () => {
    setWakeUpBroadcast(null);
    if (timer !== null) clearTimeout(timer);
  };
}

function receive(payload: string, self: Self): void {
  const [sender, ...topics] = payload.split(" ");
  if (sender === self.id) return;
  self.received++;
  self.isAlone = false;
  // Wake-ups from before this process knew the new one were not sent to it.
  if (topics.includes(HELLO)) broadcastWakeUps();
  for (const topic of TOPICS) if (topics.includes(topic)) wakeLocally(topic);
}
