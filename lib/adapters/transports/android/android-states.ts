import "server-only";
import { z } from "zod";
import { AdapterError, type AdapterErrorKind } from "@/lib/adapters/adapter-error";
import { askPhone, failureOf, readPhone } from "@/lib/adapters/transports/android/android-api";
import { acceptedLately } from "@/lib/adapters/transports/android/android-attempts";
import type { AndroidSettings } from "@/lib/adapters/transports/android/android-settings";
import { fromPhoneId, toPhoneId } from "@/lib/adapters/transports/android/android-units";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import { now } from "@/lib/platform/time/clock";

const PAGE = 50;
const MAX_PAGES = 40;
const MAX_OPEN = 500;
/** Messages behind the newest page that one poll asks for, and stuck ones that it cancels. */
const MAX_LOOKUPS = 20;
const LEAST_PAUSE_MS = 60_000;
/** A carrier without delivery reports leaves every message at Sent. */
const GIVE_UP_MS = 24 * 3_600_000;
/** How long after its time the phone may still be about to fail a message. */
const STUCK_MS = 5 * 60_000;
/** When an accepted message that no list shows is asked for: the phone's clock was behind. */
const UNLISTED_MS = 10 * 60_000;

const State = z.string();
const Report = z.object({
  id: z.string(),
  state: State,
  recipients: z
    .array(z.object({ state: State, error: z.string().nullish() }))
    .default([])
    .catch([]),
  /** When the message reached each state, also those that a later report overwrote. */
  states: z.record(z.string(), z.unknown()).default({}).catch({}),
});
type Report = z.infer<typeof Report>;

/** A message whose end the phone has not reported: its id, since when it is known, and when to ask again. */
export const OpenMessage = z.tuple([z.string(), z.int(), z.int()]);
type OpenMessage = z.infer<typeof OpenMessage>;

/** What is known of the phone's outbound messages. */
export interface StatesPlace {
  open: OpenMessage[];
  /** Messages of the newest pages that have ended. */
  done: string[];
  /** The phone's id of its newest message, whoever sent it; null without one. */
  newest: string | null;
}

interface ReadStates {
  lineId: string;
  settings: AndroidSettings;
  /** null before the first look, which reads the newest page only. */
  place: StatesPlace | null;
  signal: AbortSignal;
}

/**
 * Reads the ends of outbound messages since the place: delivered, or failed. States move only forward, whatever the
 * phone reports later. A message that the phone still has not sent long after its time is canceled: it fails. Messages
 * of other lines and programs on the phone are left alone. Throws AdapterError.
 */
export async function readStates(reading: ReadStates): Promise<{ events: InEvent[]; place: StatesPlace }> {
  const place = reading.place ?? { open: [], done: [] };
  const { listed, newest } = await readNewest(reading);
  const done = new Set(place.done);
  const known = new Map(place.open.map((each) => [each[0], each]));
  const at = now().getTime();
  for (const { id } of listed) if (!done.has(id) && !known.has(id)) known.set(id, [id, at, at]);
  for (const { id, at: since } of acceptedLately(reading.lineId)) {
    if (!done.has(id) && !known.has(id)) known.set(id, [id, since, since + UNLISTED_MS]);
  }

  const events: InEvent[] = [];
  const open: OpenMessage[] = [];
  const byId = new Map(listed.map((report) => [report.id, report]));
  const toAsk = [...known.values()]
    .filter(([id, , next]) => !byId.has(id) && next <= at)
    .slice(0, MAX_LOOKUPS);
  const asked = new Set(toAsk.map(([id]) => id));
  let canceled = 0;
  for (const message of known.values()) {
    const [id, since] = message;
    const isAsked = asked.has(id);
    const report = isAsked ? await find(reading, id) : byId.get(id);
    // The phone forgets old messages.
    if (isAsked && report === undefined) continue;
    if (report !== undefined && isStuck(reading, report, since) && canceled++ < MAX_LOOKUPS) {
      await cancel(reading, id);
    }
    const end = report === undefined ? null : endOf(report);
    if (end !== null) {
      events.push(end);
      done.add(id);
    } else if (at - since < GIVE_UP_MS) {
      const pauseMs = Math.max(LEAST_PAUSE_MS, Math.round((at - since) / 6));
      open.push(isAsked ? [id, since, at + pauseMs] : message);
    }
  }
  const onPages = listed.flatMap(({ id }) => (done.has(id) ? id : []));
  return { events, place: { open: open.slice(-MAX_OPEN), done: onPages, newest } };
}

/** The line's newest messages, oldest first: those of a page, or of as many as it takes to reach a known one. */
async function readNewest({ lineId, settings, place, signal }: ReadStates) {
  const known = place === null ? null : new Set([...place.done, ...place.open.map(([id]) => id)]);
  const found = new Map<string, Report>();
  let newest: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = new URLSearchParams({ limit: String(PAGE), offset: String(pages * PAGE) });
    if (settings.device_id !== undefined) query.set("deviceId", settings.device_id);
    const page = await readPhone(settings, z.array(z.unknown()), { path: `/messages?${query}`, signal });
    const all = page.found.flatMap((raw) => Report.safeParse(raw).data ?? []);
    newest ??= all[0]?.id ?? null;
    const reports = all.flatMap((report) => ofLine(report, lineId) ?? []);
    for (const report of reports) found.set(report.id, report);
    if (page.found.length < PAGE || place === null || known === null) break;
    if (reports.some(({ id }) => known.has(id)) || all.some(({ id }) => id === place.newest)) break;
  }
  return { listed: [...found.values()].reverse(), newest };
}

/** The report under the id of its unit; null if the line did not send it. */
function ofLine(report: Report, lineId: string): Report | null {
  const id = fromPhoneId(report.id, lineId);
  return id === null ? null : { ...report, id };
}

async function find({ lineId, settings, signal }: ReadStates, id: string): Promise<Report | undefined> {
  const answer = await askPhone(settings, { path: `/messages/${toPhoneId(id, lineId)}`, signal });
  if (answer.status === 404) return undefined;
  if (answer.status >= 300) throw failureOf(answer);
  const report = Report.safeParse(answer.body).data;
  return report && { ...report, id };
}

/** The event of a message that has ended; null while it has not. */
function endOf(report: Report): InEvent | null {
  const { id } = report;
  const reached = new Set([
    report.state,
    ...report.recipients.map(({ state }) => state),
    ...Object.keys(report.states),
  ]);
  const receipt = { ref: id, messageId: id, at: now() };
  if (reached.has("Failed")) {
    const reason =
      report.recipients.find(({ error }) => error != null)?.error ?? "the phone could not send it";
    return { type: "failed", ...receipt, error: new AdapterError(kindOf(reason), reason) };
  }
  if (reached.has("Delivered")) return { type: "delivered", ...receipt, at: timeOf(report.states.Delivered) };
  // The phone may have begun to send it before it was canceled: then its reports tell the end.
  if (reached.has("Cancelled") && !reached.has("Processed") && !reached.has("Sent")) {
    const error = new AdapterError(
      "undeliverable",
      "the phone did not send it: it was canceled, or never begun",
    );
    return { type: "failed", ...receipt, error };
  }
  return null;
}

/** Whether the phone still has not sent a message long after the time at which it should have failed it. */
function isStuck({ settings }: ReadStates, { state }: Report, since: number): boolean {
  return state === "Pending" && now().getTime() - since > settings.ttl * 1000 + STUCK_MS;
}

/** Cancels a message, which the next look sees. Changes nothing if the phone has begun to send it. */
async function cancel({ lineId, settings, signal }: ReadStates, id: string): Promise<void> {
  await askPhone(settings, { method: "DELETE", path: `/messages/${toPhoneId(id, lineId)}`, signal });
}

function timeOf(value: unknown): Date {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? now() : new Date(at);
}

/** What the reasons of SMSGate mean, which contain the names of Android's errors. */
const REASONS: readonly (readonly [RegExp, AdapterErrorKind])[] = [
  [/NO_SERVICE|RADIO_OFF|RADIO_NOT_AVAILABLE|NO_DEFAULT_SMS_APP|SIM_ABSENT|NETWORK_NOT_READY/, "line_down"],
  [/No SIMs|SIM \d+ not found|READ_PHONE_STATE/, "line_down"],
  [/LIMIT_EXCEEDED|RATE_LIMITED/, "rate_limited"],
  [/invalid.{0,20}number|INVALID_|NULL_PDU|ENCODING|not a (?:valid|mobile)/i, "rejected"],
];

function kindOf(reason: string): AdapterErrorKind {
  return REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? "undeliverable";
}
