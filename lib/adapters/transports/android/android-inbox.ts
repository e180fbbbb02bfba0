import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { openPhoneFile, readPhone } from "@/lib/adapters/transports/android/android-api";
import type { AndroidSettings } from "@/lib/adapters/transports/android/android-settings";
import type { InEvent, InMedia } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { countryOf, normalizeSender } from "@/lib/platform/text/phone-handle";
import { now } from "@/lib/platform/time/clock";

const PAGE = 50;
const WIDE_PAGE = 500;
const MAX_PAGES = 40;
/** Messages that are known to have been reported. A look at more reports the others again, under the same refs. */
const MAX_SEEN = 1000;
/** A person's message that is older than this when it is found was missed before. */
const LATE_MS = 10 * 60_000;
/** The largest MMS of any carrier is a third of this. */
const MAX_FILE_BYTES = 10_000_000;
/** What SMSGate shows of an MMS without a text and a subject. */
const NO_TEXT = "MMS content";
const UNKNOWN_SENDER = "unknown";
/** Networks take messages that long before a line's first look, and deliver them after it. */
const FIRST_REACH_MS = 86_400_000;
/** Messages from before the line that are remembered as such. */
const MAX_SKIPPED = 500;
/** Longest wait for the files of an MMS, which the phone writes after it shows the message. */
const FILES_MS = 60_000;

const File = z.object({
  partId: z.int(),
  name: z.string().max(1000),
  size: z.number().nonnegative().optional(),
  contentType: z.string().max(200).nullish(),
});

const Row = z.object({
  id: z.string().min(1).max(200),
  type: z.enum(["SMS", "DATA_SMS", "MMS", "MMS_DOWNLOADED"]),
  sender: z.string(),
  simNumber: z.int().nullish(),
  /** The whole text of an SMS, whatever its name says. */
  contentPreview: z.string(),
  createdAt: z.iso.datetime({ offset: true }),
  attachments: z.array(File).default([]),
});
type Row = z.infer<typeof Row>;

/** An MMS whose files may not be written yet: its mark, its files at the last look, and when it was found. */
const HeldMms = z.tuple([z.string(), z.string(), z.int()]);
type HeldMms = z.infer<typeof HeldMms>;

/** How far a phone's inbox was read. Messages are named by short hashes of their refs. */
export const InboxPlace = z.object({
  /** Older messages are not read, in milliseconds. */
  floor: z.int(),
  /** How many messages the inbox had since then; null before the first look. */
  total: z.int().nullable(),
  /** The newest messages that were seen. */
  seen: z.array(z.string()),
  /** Messages of the first look that are older than the line: they are never read. */
  skipped: z.array(z.string()).default([]),
  held: z.array(HeldMms).default([]),
});
export type InboxPlace = z.infer<typeof InboxPlace>;

interface ReadInbox {
  line: LineRef;
  settings: AndroidSettings;
  place: InboxPlace;
  /** What the phone showed before, in milliseconds, is older than the line. */
  since: number;
  isFirst: boolean;
  /** Reads all messages since the floor, and not only the newest. */
  isWide: boolean;
  /** Whether the phone shows exactly one SIM card: otherwise a message that names none may be another's. */
  hasOneSim: boolean;
  signal: AbortSignal;
}

interface InboxRead {
  events: InEvent[];
  place: InboxPlace;
}

interface Found {
  ref: string;
  mark: string;
  row: Row | null;
  raw: unknown;
}

/**
 * Reads the messages that arrived since the place, oldest first. The list is sorted by the time at which the sender's
 * network took a message, so one that comes late is not among the newest: the list's length tells that there is one, and
 * then all are read. Throws AdapterError.
 */
export async function readInbox(reading: ReadInbox): Promise<InboxRead> {
  const { place, isWide } = reading;
  if (reading.isFirst) return readFirst(reading);
  const { found, total } = await readRows(reading);
  const known = new Set([...place.seen, ...place.skipped]);
  const fresh = found.filter(({ mark }) => !known.has(mark));
  const counted = new Map(place.held.map((each) => [each[0], each]));
  const added = fresh.filter(({ mark }) => !counted.has(mark)).length;
  const isShort = total !== null && total !== (place.total ?? 0) + added;
  const isHeldShown = added + counted.size === fresh.length;
  if (!isWide && (isShort || !isHeldShown)) return readInbox({ ...reading, isWide: true });
  const held = fresh.map((each) => hold(each, counted.get(each.mark))).filter((each) => each !== null);
  const waiting = new Set(held.map(([mark]) => mark));
  // A look at the newest ones finds them before those of earlier looks.
  const marks = new Set([...found.map(({ mark }) => mark), ...(isWide ? [] : place.seen)]);
  const seen = [...marks].filter((mark) => !waiting.has(mark)).slice(0, MAX_SEEN);
  return {
    events: fresh
      .filter(({ mark }) => !waiting.has(mark))
      .toSorted((one, other) => timeOf(one) - timeOf(other))
      .flatMap((each) => toEvents(reading, each)),
    place: { floor: place.floor, total, seen, skipped: place.skipped, held },
  };
}

/**
 * The first look of a line reaches further back than the line, because the list has the time of the sender's network:
 * it skips what is there, and finds what the network delivers later.
 */
async function readFirst(reading: ReadInbox): Promise<InboxRead> {
  const { since, place } = reading;
  const floor = since - FIRST_REACH_MS;
  const { found } = await readRows({ ...reading, place: { ...place, floor }, isWide: true });
  const older = found.filter((each) => timeOf(each) < since && each.row !== null);
  const skipped = older.slice(0, MAX_SKIPPED);
  const last = skipped.at(-1);
  // Of a crowded inbox, the time before the last one that is remembered is not read.
  const least = older.length > MAX_SKIPPED && last !== undefined ? timeOf(last) + 1 : floor;
  return readInbox({
    ...reading,
    isFirst: false,
    place: { ...place, floor: least, skipped: skipped.map(({ mark }) => mark) },
    isWide: true,
  });
}

/** What is known of an MMS that waits for its files; null for a message that is complete. */
function hold({ row, mark }: Found, before: HeldMms | undefined): HeldMms | null {
  if (row?.type !== "MMS_DOWNLOADED") return null;
  const at = now().getTime();
  const shown = before?.[1] ?? null;
  const since = before?.[2] ?? at;
  const files = hashOf(JSON.stringify(row.attachments.map(({ partId, size }) => [partId, size])));
  const isMissing = row.contentPreview === NO_TEXT && row.attachments.length === 0;
  const isComplete = shown === files && !isMissing;
  return isComplete || at - since >= FILES_MS ? null : [mark, files, since];
}

/** The rows of the inbox, newest first. Without a wide look, up to the first page that shows nothing new. */
async function readRows({ settings, place, isWide, signal }: ReadInbox) {
  const seen = new Set([...place.seen, ...place.skipped]);
  const limit = isWide ? WIDE_PAGE : PAGE;
  const found = new Map<string, Found>();
  let total: number | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = new URLSearchParams({
      from: new Date(place.floor).toISOString(),
      // The clocks of networks differ: a message may be from the future.
      to: new Date(now().getTime() + 86_400_000).toISOString(),
      limit: String(limit),
      offset: String(pages * limit),
      includeAttachments: "true",
      ...(settings.device_id !== undefined && { deviceId: settings.device_id }),
    });
    const page = await readPhone(settings, z.array(z.unknown()), { path: `/inbox?${query}`, signal });
    total = page.total;
    const rows = page.found.map(toFound);
    for (const each of rows) found.set(each.ref, each);
    if (rows.length < limit || (!isWide && rows.some(({ mark }) => seen.has(mark)))) break;
  }
  return { found: [...found.values()], total };
}

function toFound(raw: unknown): Found {
  const row = Row.safeParse(raw).data ?? null;
  const ref = row === null ? `unreadable-${hashOf(JSON.stringify(raw) ?? "")}` : refOf(row);
  return { ref, mark: hashOf(ref).slice(0, 12), row, raw };
}

/**
 * SMSGate's id is a hash of 32 bits, so two messages can share it. The id of an SMS also changes when the phone reads it
 * again from Android, because the SIM card is a part of it.
 */
function refOf({ id, type, sender, createdAt, contentPreview }: Row): string {
  if (type === "SMS")
    return `SMS@${Date.parse(createdAt)}-${hashOf(JSON.stringify([sender, contentPreview]))}`;
  return `${id}@${Date.parse(createdAt)}-${hashOf(sender)}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function timeOf({ row }: Found): number {
  return row === null ? 0 : Date.parse(row.createdAt);
}

function toEvents({ line, settings, hasOneSim, isWide }: ReadInbox, { ref, row, raw }: Found): InEvent[] {
  if (row === null) {
    const payload = JSON.stringify(raw) ?? "";
    return [{ type: "unreadable", key: ref, reason: "a message of the phone can't be read", payload }];
  }
  // Headers announce an MMS that comes as MMS_DOWNLOADED, and binary SMS are for programs of the phone.
  if (row.type === "MMS" || row.type === "DATA_SMS") return [];
  if (settings.sim !== undefined && row.simNumber == null && !hasOneSim) {
    const reason = "the phone does not say for which SIM card it came: allow SMSGate the permission Phone";
    return [{ type: "refused", key: ref, reason }];
  }
  if (settings.sim !== undefined && row.simNumber != null && String(row.simNumber) !== settings.sim)
    return [];
  const at = new Date(row.createdAt);
  const isLate = isWide && now().getTime() - at.getTime() > LATE_MS;
  return [
    {
      type: "message",
      // A known message is skipped before its files are fetched.
      key: ref,
      ref,
      groupRef: null,
      from: senderOf(row, line),
      others: [],
      service: "SMS",
      at,
      // It is when the phone got the message.
      isTimeReported: false,
      parts: partsOf(row, settings),
      ...(isLate && { isLive: false }),
    },
  ];
}

/** Android keeps the type of an address behind it in some MMS. */
function senderOf({ sender }: Row, { phoneNumber }: LineRef): string {
  const from = normalizeSender(sender.replace(/\/TYPE=\w+$/i, ""), countryOf(phoneNumber));
  return from === "" ? UNKNOWN_SENDER : from;
}

function partsOf({ id, type, contentPreview, attachments }: Row, settings: AndroidSettings) {
  const files = type === "MMS_DOWNLOADED" ? attachments : [];
  const hasText = files.length === 0 || (contentPreview !== "" && contentPreview !== NO_TEXT);
  const text = hasText ? [{ type: "text" as const, value: contentPreview }] : [];
  return [...text, ...files.map((file) => toMedia(id, file, settings))];
}

function toMedia(id: string, file: z.infer<typeof File>, settings: AndroidSettings): InMedia {
  const source = `/inbox/${encodeURIComponent(id)}/attachments/${file.partId}`;
  return {
    type: "media",
    filename: file.name === "" ? "file" : file.name,
    source,
    mimeType: file.contentType ?? null,
    ...(file.size !== undefined && { sizeBytes: file.size }),
    open: (signal) => openAttachment(settings, source, signal),
  };
}

/** Opens a file of an MMS. Throws AdapterError, of kind `rejected` for one that is gone or larger than 10 MB. */
export async function openAttachment(
  settings: AndroidSettings,
  source: string,
  signal?: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  return bounded(await openPhoneFile(settings, { path: source, ...(signal !== undefined && { signal }) }));
}

async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES) throw new AdapterError("rejected", "the file is larger than 10 MB");
    yield chunk;
  }
}
