import "server-only";
import type { InMedia, InPart } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { insertAttachments, type NewFile } from "@/lib/attachments/insert-attachments";
import { recordFileUses } from "@/lib/attachments/media/media-rows";
import { announcedFile, storeReceivedFile } from "@/lib/attachments/store/store-received-file";
import type { StoredPart } from "@/lib/messaging/content/message-part";
import { toReceivedPart } from "@/lib/messaging/content/received-part";
import { awaitFiles } from "@/lib/messaging/inbound/awaited-files";
import type { Arrival } from "@/lib/messaging/inbound/find-inbound-chat";
import type { Sql } from "@/lib/platform/database/db";
import { ApiError } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

/** Vendors wait about 15 seconds for the response to a callback. */
const MAX_WAIT_MS = 8000;

/** Why the file of a part is not there. With a `source`, it is fetched later. */
interface LateFile extends NewFile {
  source: string | null;
  fault: string;
}

/** A part of an inbound message. The bytes of its file are stored, but no row refers to them yet; or they are late. */
export interface ReceivedFilePart {
  part: InPart;
  file: NewFile | null;
  late: LateFile | null;
}

/**
 * Stores the files of an inbound message. A file that can't be had within a bounded time is late: it never fails the
 * message. With `isUrgent`, files that can be fetched later are not waited for. Errors, when a file is required: as
 * `storeReceivedFile`.
 */
export async function storeReceivedFiles(
  line: LineRef,
  parts: readonly InPart[],
  isUrgent = false,
): Promise<ReceivedFilePart[]> {
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  const taken: ReceivedFilePart[] = [];
  for (const part of parts) {
    const media = mediaOf(part);
    const stored = media === null ? null : await takeFile(line, media, { signal, isUrgent });
    taken.push({ part, file: null, late: null, ...stored });
  }
  return taken;
}

/** Whether any part has a file. */
export function hasFiles(parts: readonly InPart[]): boolean {
  return parts.some((part) => mediaOf(part) !== null);
}

/** Whether the reporter of an event can correct a file of it. */
export function requiresFiles(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(requiresFiles);
  if (typeof value !== "object" || value === null || value instanceof Date) return false;
  return ("isRequired" in value && value.isRequired === true) || Object.values(value).some(requiresFiles);
}

function mediaOf(part: InPart): InMedia | null {
  if (part.type === "media") return part;
  return part.type === "app_card" ? part.image : null;
}

/** The stored files of taken parts. */
export function filesOf(taken: readonly ReceivedFilePart[]): NewFile[] {
  return taken.flatMap(({ file }) => file ?? []);
}

/**
 * Inserts the rows of an inbound message's files, links them to the message, and returns its parts for storage. Late files
 * with a source are fetched later; those without are marked as failed.
 */
export async function insertReceivedFiles(
  tx: Sql,
  { line, inbound, messageId, at }: Arrival,
  taken: readonly ReceivedFilePart[],
): Promise<StoredPart[]> {
  const common = { accountId: line.accountId, lineId: line.id, source: "received", at } as const;
  const late = taken.flatMap((each) => each.late ?? []);
  const groups = [
    { status: "complete", files: filesOf(taken) },
    { status: "pending", files: late.filter(({ source }) => source !== null) },
    { status: "failed", files: late.filter(({ source }) => source === null) },
  ] as const;
  const rows = [];
  for (const { status, files } of groups) {
    if (files.length > 0) rows.push(...(await insertAttachments(tx, { ...common, status, files })));
  }
  if (rows.length > 0) await recordFileUses(tx, line.accountId, messageId, rows);
  await awaitFiles(tx, { line, messageId, at }, late);

  const byId = new Map(rows.map((row) => [row.id, row]));
  const seen = { own: line.phoneNumber, reportsMentions: inbound.service === "iMessage" };
  return taken.flatMap(({ part, file, late: missing }) => {
    const row = byId.get(file?.id ?? missing?.id ?? "") ?? null;
    return toReceivedPart(part, row, seen) ?? [];
  });
}

async function takeFile(
  { accountId, id: lineId }: LineRef,
  media: InMedia,
  { signal, isUrgent }: { signal: AbortSignal; isUrgent: boolean },
): Promise<Pick<ReceivedFilePart, "file"> | Pick<ReceivedFilePart, "late">> {
  const source = media.source ?? null;
  if (isUrgent && source !== null) return { late: lateFile(media, "the message came first") };
  try {
    return { file: await storeReceivedFile(accountId, media, { signal }) };
  } catch (error) {
    if (media.isRequired === true) throw error;
    const code = error instanceof ApiError ? error.row.code : null;
    // Neither a name nor a URL: both are content, which logs must not contain.
    log.warn(
      { lineId, code, error: nameOf(error), ending: endingOf(media.filename) },
      "an inbound file is late",
    );
    return {
      late: lateFile(media, error instanceof ApiError ? error.row.message : "the file could not be fetched"),
    };
  }
}

function lateFile(media: InMedia, fault: string): LateFile {
  return { id: newId(now().getTime()), ...announcedFile(media), source: media.source ?? null, fault };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

function endingOf(filename: string): string | null {
  return /\.[a-z0-9]{1,5}$/i.exec(filename)?.[0] ?? null;
}
