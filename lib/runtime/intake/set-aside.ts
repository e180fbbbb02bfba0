import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { type SealContext, seal, sha256, unseal } from "@/lib/platform/crypto/crypto";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/telemetry/log";
import { refusedEvents, setAsideEvents } from "@/lib/platform/telemetry/metrics";
import { storableError } from "@/lib/platform/text/storable-text";
import { now } from "@/lib/platform/time/clock";

/** Events of one line that are kept. More than that share a cause, which the newest show. */
const MAX_PER_LINE = 1000;
const MAX_PAYLOAD_BYTES = 2 * 1024 * 1024;
/** The beginning of an unreadable payload in which handles are looked for, and how many are kept. */
const MAX_SEARCHED = 100_000;
const MAX_NAMED = 50;

/**
 * Keeps an event that can't be stored for its content, sealed, for an operator to look at and to try again. A repeat is
 * counted, not kept twice.
 */
export async function setAside(line: LineRef, event: InEvent, error: unknown): Promise<void> {
  const reason = reasonOf(error);
  // Errors of PostgreSQL quote values; those of a defect need their stack.
  const isDefect = event.type !== "unreadable" && error instanceof Error && !("code" in error);
  const defect = isDefect ? { err: error } : {};
  log.error({ ...defect, reason, lineId: line.id, type: event.type }, "an inbound event was set aside");
  setAsideEvents.inc({ type: event.type });
  const payload = toText(event);
  const isKept = payload !== null && Buffer.byteLength(payload) <= MAX_PAYLOAD_BYTES;
  await keep(line, {
    type: event.type,
    digest: sha256(toText({ ...event, at: undefined }) ?? reason),
    handles: handlesOf(event),
    reason: isKept ? reason : `${reason} (the event was too large to keep)`,
    payload: isKept ? payload : null,
  });
}

/** Counts what a transport refused, by its reason. */
export async function countRefused(line: LineRef, { type, reason }: InEvent<"refused">): Promise<void> {
  log.warn({ lineId: line.id, reason }, "what arrived at a line was refused");
  refusedEvents.inc();
  await keep(line, { type, digest: sha256(`refused ${reason}`), handles: [], reason, payload: null });
}

/** Keeps what a transport could not read. */
export async function keepUnreadable(line: LineRef, event: InEvent<"unreadable">): Promise<void> {
  await setAside(line, event, new AdapterError("rejected", event.reason));
}

/** The seal context of a kept event. */
export function setAsideContext(accountId: string, id: string): SealContext {
  return { purpose: "set-aside-event", row: { accountId, id } };
}

/** Reads a kept event. Throws UnreadableSecret. */
export function openSetAside(accountId: string, id: string, payload: Uint8Array): InEvent {
  return JSON.parse(unseal(payload, setAsideContext(accountId, id)), revive) as InEvent;
}

interface Kept {
  type: string;
  digest: Buffer;
  handles: string[];
  reason: string;
  payload: string | null;
}

const SET_EVENT_ASIDE = statement(
  "set-event-aside",
  `insert into set_aside_events as e
    (account_id, line_id, id, digest, type, handles, reason, payload, first_at, last_at)
  values (:accountId, :lineId, :id, :digest, :keptType, :handles, :reason, :sealed, :firstAt, :firstAt)
  on conflict (account_id, line_id, digest) do update
    set times = e.times + 1, last_at = excluded.last_at, reason = excluded.reason
  returning id = :id as "is_new!"`,
);

async function keep({ accountId, id: lineId }: LineRef, kept: Kept): Promise<void> {
  const at = now();
  const id = newId(at.getTime());
  const sealed = kept.payload === null ? null : seal(kept.payload, setAsideContext(accountId, id));
  await transaction(async (tx) => {
    const [row] = await tx.run(SET_EVENT_ASIDE, {
      accountId,
      lineId,
      id,
      digest: kept.digest,
      keptType: kept.type,
      handles: kept.handles,
      reason: kept.reason,
      sealed,
      firstAt: at,
    });
    if (row?.is_new === true) await dropOldest(tx, accountId, lineId);
  });
}

const DROP_SET_ASIDE = statement(
  "drop-set-aside",
  `delete from set_aside_events where account_id = :accountId and line_id = :lineId and id in (
    select id from set_aside_events where account_id = :accountId and line_id = :lineId
    order by last_at desc, id desc offset ${MAX_PER_LINE})
  returning 1`,
);

async function dropOldest(tx: Sql, accountId: string, lineId: string): Promise<void> {
  const dropped = await tx.run(DROP_SET_ASIDE, { accountId, lineId });
  if (dropped.length > 0) log.error({ lineId, dropped: dropped.length }, "set-aside events were dropped");
}

const DELETE_SET_ASIDE = statement(
  "delete-set-aside",
  "delete from set_aside_events where account_id = :accountId and line_id = :lineId and id = :id returning 1",
);

/** Deletes an event that was kept. Returns false when it was already deleted. */
export async function deleteSetAside(
  on: Sql,
  { accountId, lineId, id }: { accountId: string; lineId: string; id: string },
): Promise<boolean> {
  const rows = await on.run(DELETE_SET_ASIDE, { accountId, lineId, id });
  return rows.length > 0;
}

const RECORD_SET_ASIDE_REASON = statement(
  "record-set-aside-reason",
  "update set_aside_events set reason = :reason, last_at = :now where account_id = :accountId and line_id = :lineId and id = :id",
);

/** Records why an event still can't be stored, and returns the reason. */
export async function recordSetAsideReason(
  { accountId, lineId, id }: { accountId: string; lineId: string; id: string },
  error: unknown,
): Promise<string> {
  const reason = reasonOf(error);
  await sql.run(RECORD_SET_ASIDE_REASON, { accountId, lineId, id, reason, now: now() });
  return reason;
}

// Messages of PostgreSQL and of zod quote values, which may be a person's. The name and the place of the error do not.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "an unknown error";
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  const constraint = "constraint" in error && typeof error.constraint === "string" ? error.constraint : null;
  if (code !== null) {
    const sentence =
      SENTENCES.find(([start]) => code.startsWith(start))?.[1] ?? "the event could not be stored";
    return storableError(`${sentence} (${[code, constraint].filter((each) => each !== null).join(", ")})`);
  }
  if (error instanceof AdapterError || "errorName" in error) return storableError(error.message);
  return storableError(`Trunkline could not read the event (${error.name})`);
}

/** The meaning of a class of SQLSTATEs, without the words of PostgreSQL. */
const SENTENCES: readonly (readonly [start: string, sentence: string])[] = [
  ["22", "a value of the event can't be stored"],
  ["23", "a value of the event is not allowed"],
  ["54", "a value of the event is too long"],
];

function handlesOf(event: InEvent): string[] {
  const named = new Set<string>();
  for (const property of ["from", "handle"]) {
    const value: unknown = Reflect.get(event, property);
    if (typeof value === "string") named.add(value);
  }
  // The event may have any shape: a defect of a transport is one reason why it is here.
  const others: unknown = Reflect.get(event, "others");
  for (const other of Array.isArray(others) ? others : []) if (typeof other === "string") named.add(other);
  if (event.type === "unreadable") for (const handle of handlesWithin(event.payload)) named.add(handle);
  return [...named];
}

/** Words that look like a number or an address, so that the erasure of a person finds what could not be read. */
function handlesWithin(payload: string): string[] {
  const searched = payload.slice(0, MAX_SEARCHED);
  const numbers = searched.match(/(?<![0-9])(?:\+|%2B)?[1-9][0-9]{6,14}(?![0-9])/gi) ?? [];
  const addresses = searched.match(/[^\s"'<>:;,@]{1,64}@[a-z0-9.-]{1,190}/gi) ?? [];
  const handles = numbers.map((number) => `+${number.replace(/^(?:\+|%2B)/i, "")}`);
  return [...new Set([...handles, ...addresses.map((address) => address.toLowerCase())])].slice(0, MAX_NAMED);
}

/**
 * The event as JSON; null where it has none. Functions, with which files are opened, are left out; times and errors are
 * marked.
 */
function toText(event: object): string | null {
  try {
    return JSON.stringify(event, function mark(this: Record<string, unknown>, key: string, value: unknown) {
      const raw = this[key];
      if (raw instanceof Date) return { $time: raw.getTime() };
      if (raw instanceof AdapterError) return { $error: [raw.kind, raw.message] };
      return value;
    });
  } catch {
    return null;
  }
}

function revive(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("$time" in value) return new Date(Number(value.$time));
  if ("$error" in value && Array.isArray(value.$error)) {
    const [kind, message] = value.$error;
    return new AdapterError(kind, message);
  }
  return value;
}
