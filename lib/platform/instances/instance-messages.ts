import "server-only";
import { randomUUID } from "node:crypto";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** The NOTIFY channel of messages between instances; wake-ups use another (notify.ts). */
export const MESSAGE_CHANNEL = "trunkline_messages";

/** PostgreSQL limits a notification to 8000 bytes. */
const MAX_PIECE_CHARACTERS = 7800;
/** The oldest incomplete message is dropped when there are more than this many. */
const MAX_INCOMPLETE = 500;

type Listener = (text: string) => void;

interface Mailbox {
  listeners: Map<string, Set<Listener>>;
  /** Pieces of messages that have not arrived completely, by message id. */
  incomplete: Map<string, (string | undefined)[]>;
}

const shared = globalThis as typeof globalThis & { trunklineMailbox?: Mailbox };

function mailbox(): Mailbox {
  shared.trunklineMailbox ??= { listeners: new Map(), incomplete: new Map() };
  return shared.trunklineMailbox;
}

const NOTIFY_INSTANCES = statement(
  "notify-instances",
  "select pg_notify(:channel, piece) from unnest(:pieces::text[]) as piece",
);

/**
 * Sends a message to all instances, this one included, outside every transaction. Messages are not stored: an instance
 * without its LISTEN connection misses them, so a sender that depends on one needs an acknowledgment. `kind` must not
 * contain spaces.
 */
export async function broadcastToInstances(kind: string, text: string): Promise<void> {
  const encoded = Buffer.from(text).toString("base64");
  const count = Math.max(1, Math.ceil(encoded.length / MAX_PIECE_CHARACTERS));
  const id = randomUUID();
  const pieces = Array.from({ length: count }, (_, index) => {
    const piece = encoded.slice(index * MAX_PIECE_CHARACTERS, (index + 1) * MAX_PIECE_CHARACTERS);
    return `${kind} ${id} ${index} ${count} ${piece}`;
  });
  await sql.run(NOTIFY_INSTANCES, { channel: MESSAGE_CHANNEL, pieces });
}

/** Calls `listener` with each message of a kind from any instance, until the returned function is called. */
export function onInstanceMessage(kind: string, listener: Listener): () => void {
  const { listeners } = mailbox();
  const ofKind = listeners.get(kind) ?? new Set();
  listeners.set(kind, ofKind.add(listener));
  return () => {
    ofKind.delete(listener);
    if (ofKind.size === 0 && listeners.get(kind) === ofKind) listeners.delete(kind);
  };
}

/** Handles a notification of MESSAGE_CHANNEL. Messages without a listener in this process are dropped. */
export function receiveInstanceMessage(payload: string): void {
  const { listeners, incomplete } = mailbox();
  const [kind = "", id = "", index, count, piece = ""] = payload.split(" ", 5);
  const ofKind = listeners.get(kind);
  if (ofKind === undefined) return;

  const pieces = incomplete.get(id) ?? new Array<string | undefined>(Number(count)).fill(undefined);
  pieces[Number(index)] = piece;
  if (pieces.includes(undefined)) {
    incomplete.set(id, pieces);
    const [oldest] = incomplete.keys();
    if (incomplete.size > MAX_INCOMPLETE && oldest !== undefined) incomplete.delete(oldest);
    return;
  }
  incomplete.delete(id);
  const text = Buffer.from(pieces.join(""), "base64").toString();
  for (const listener of [...ofKind]) listener(text);
}
