import "server-only";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { dedicatedClient, sql } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { setTellOthers, TOPICS, type Topic, wakeHere } from "@/lib/platform/wake";

const CHANNEL = "trunkline";
const COALESCE_MS = 15;
const RECONNECT_MS = 1000;

/**
 * Joins this process to the others on the database: wake-ups go out as NOTIFY, outside every transaction and at most
 * one statement per 15 ms (inside the hot statement NOTIFY halves it), and come in by LISTEN. Returns how to leave.
 */
export async function joinInstances(): Promise<() => Promise<void>> {
  const self = randomUUID();
  let client: pg.Client | null = null;
  let leaving = false;

  async function listen(): Promise<void> {
    const fresh = dedicatedClient();
    fresh.on("notification", ({ payload }) => receive(payload ?? "", self));
    fresh.on("error", (error) => log.warn({ error: error.message }, "the LISTEN connection was lost"));
    fresh.on("end", () => {
      if (!leaving) setTimeout(() => void relisten(), RECONNECT_MS).unref();
    });
    await fresh.connect();
    await fresh.query(`listen ${CHANNEL}`);
    client = fresh;
    // Whatever was told while nobody listened.
    for (const topic of TOPICS) wakeHere(topic);
  }

  async function relisten(): Promise<void> {
    if (leaving) return;
    await listen().catch((error: Error) => {
      log.warn({ error: error.message }, "cannot LISTEN yet");
      setTimeout(() => void relisten(), RECONNECT_MS).unref();
    });
  }

  await listen();
  const stopTelling = tellOthers(self);
  return async () => {
    leaving = true;
    stopTelling();
    await client?.end();
  };
}

function tellOthers(self: string): () => void {
  const pending = new Set<Topic>();
  let timer: NodeJS.Timeout | null = null;

  async function send(): Promise<void> {
    timer = null;
    const payload = [self, ...pending].join(" ");
    pending.clear();
    await sql
      .query({ name: "notify", text: "select pg_notify($1, $2)", values: [CHANNEL, payload] })
      .catch((error: Error) => log.warn({ error: error.message }, "other instances were not told"));
  }

  setTellOthers((topic) => {
    pending.add(topic);
    timer ??= setTimeout(send, COALESCE_MS);
  });
  return () => {
    setTellOthers(null);
    if (timer !== null) clearTimeout(timer);
  };
}

function receive(payload: string, self: string): void {
  const [sender, ...topics] = payload.split(" ");
  if (sender === self) return;
  for (const topic of TOPICS) if (topics.includes(topic)) wakeHere(topic);
}
