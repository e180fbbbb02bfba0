import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { transportOf } from "@/lib/adapters/transports/registry";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { openConnection } from "@/lib/lines/connections/line-connection";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { isPassing } from "@/lib/runtime/intake/is-passing";
import { makeStorable } from "@/lib/runtime/intake/make-storable";
import { deleteSetAside, openSetAside, recordSetAsideReason } from "@/lib/runtime/intake/set-aside";
import { storeEvent } from "@/lib/runtime/wiring/inbound-sink";

export const RetrySetAside = contract({
  summary: "Try to store an inbound event again that was set aside",
  tag: "Phone lines",
  right: "connect_lines",
  params: z.object({ lineId: z.uuid(), eventId: z.uuid() }),
  returns: z.object({
    stored: z.boolean(),
    /** Why it still can't be stored; null when it was. */
    reason: z.string().nullable(),
  }),
  status: 200,
  errors: ["access_denied", "line_not_found", "state_conflict"],
  extension: true,
});

type Kept = RowOf<"find-set-aside">;

/**
 * Stores an event that was set aside, with its effects, and deletes the kept one. An event that still can't be stored
 * stays. Consent that changed after the event came stays as it is. Errors: line_not_found, state_conflict (the event was
 * not kept).
 */
export async function retrySetAside(ctx: Context, { params }: Pick<Input<typeof RetrySetAside>, "params">) {
  const place = { accountId: ctx.account.id, lineId: params.lineId, id: params.eventId };
  const kept = await findKept(place);
  if (kept === null) return fail("line_not_found", "this event is no longer set aside");
  if (kept.payload === null) fail("state_conflict", "the event itself was not kept: it can't be tried again");
  const line: LineRef = {
    accountId: place.accountId,
    id: place.lineId,
    phoneNumber: kept.phone_number,
    lineType: kept.line_type,
  };
  const event = openSetAside(place.accountId, place.id, kept.payload);
  try {
    for (const each of event.type === "unreadable" ? await readAgain(line, kept, event) : [event]) {
      const again = { ...(withFiles(line, kept, each) as object), heldSince: heldSince(each, kept) };
      await storeEvent(line, again as InEvent);
    }
  } catch (error) {
    if (isPassing(error)) throw error;
    return { stored: false, reason: await recordSetAsideReason(place, error) };
  }
  await transaction(async (tx) => {
    await deleteSetAside(tx, place);
    const detail = { line_id: place.lineId, type: event.type };
    await recordAudit(tx, ctx, "line.event_stored", "set_aside_event", place.id, detail);
  });
  return { stored: true, reason: null };
}

/** The events of a payload that could not be read, by this version. Throws AdapterError when it still can't be. */
async function readAgain(
  line: LineRef,
  { transport, connection }: Kept,
  { reason, payload }: InEvent<"unreadable">,
): Promise<readonly InEvent[]> {
  const opened = connection === null ? {} : openConnection(line, connection);
  const read = transportOf(transport).readAgain?.(line, opened, payload) ?? [];
  const events = await Promise.resolve(read).catch((error: unknown) => {
    if (isPassing(error)) throw error;
    return [];
  });
  if (events.length === 0 || events.some(({ type }) => type === "unreadable"))
    throw new AdapterError("rejected", reason);
  return events.map((event) => makeStorable(event));
}

/** When the event came: the vendor's time, unless that is later. */
function heldSince(event: InEvent, { first_at }: Kept): Date {
  const at: unknown = Reflect.get(event, "at");
  return at instanceof Date && at < first_at ? at : first_at;
}

const FIND_SET_ASIDE = statement(
  "find-set-aside",
  `select e.payload, e.first_at, l.phone_number, l.line_type, l.transport, l.connection
  from set_aside_events e join lines l on l.account_id = e.account_id and l.id = e.line_id
  where e.account_id = :accountId and e.line_id = :lineId and e.id = :id`,
);

async function findKept({ accountId, lineId, id }: { accountId: string; lineId: string; id: string }) {
  const [kept] = await sql.run(FIND_SET_ASIDE, { accountId, lineId, id });
  return kept ?? null;
}

/** The event whose files are opened by their source, or are missing. A kept event has no functions. */
function withFiles(line: LineRef, kept: Kept, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => withFiles(line, kept, each));
  if (typeof value !== "object" || value === null || value instanceof Date || value instanceof Error)
    return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withFiles(line, kept, each)]),
  );
  return copy.type === "media" ? { ...copy, open: opener(line, kept, copy.source) } : copy;
}

function opener(line: LineRef, { transport, connection }: Kept, source: unknown) {
  return async (signal: AbortSignal = AbortSignal.timeout(8000)) => {
    const { openFile } = transportOf(transport);
    if (openFile === undefined || typeof source !== "string")
      throw new Error("the file can't be fetched again");
    return openFile(line, connection === null ? {} : openConnection(line, connection), source, signal);
  };
}
