import "server-only";
import type { InMedia, InPart } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { currentName, isSupported } from "@/lib/attachments/content-types";
import { MAX_UPLOAD_BYTES } from "@/lib/attachments/file-limits";
import { insertAttachments, type NewFile } from "@/lib/attachments/insert-attachments";
import { recordFileUses } from "@/lib/attachments/media-rows";
import { storeFile } from "@/lib/attachments/store-file";
import type { Arrival } from "@/lib/messaging/messages/find-inbound-chat";
import type { StoredPart } from "@/lib/messaging/messages/message-part";
import { toReceivedPart } from "@/lib/messaging/messages/received-part";
import type { Sql } from "@/lib/platform/db";
import { ApiError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";

/** A part of an inbound message. The bytes of its file are stored, but no row refers to them yet. */
export interface ReceivedFilePart {
  part: InPart;
  file: NewFile | null;
}

/**
 * Stores the files of an inbound message, with the same checks as any file. Stores nothing for a message without files.
 */
export async function storeReceivedFiles(
  line: LineRef,
  parts: readonly InPart[],
): Promise<ReceivedFilePart[]> {
  const taken: ReceivedFilePart[] = [];
  for (const part of parts) {
    const media = mediaOf(part);
    const file = media === null ? null : await storeReceivedFile(line, media);
    if (part.type !== "media" || file !== null) taken.push({ part, file });
  }
  return taken;
}

/** Whether any part has a file. */
export function hasFiles(parts: readonly InPart[]): boolean {
  return parts.some((part) => mediaOf(part) !== null);
}

/** Whether whoever reports an event can correct a file of it. */
export function requiresFiles(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(requiresFiles);
  if (typeof value !== "object" || value === null || value instanceof Date) return false;
  return ("isRequired" in value && value.isRequired === true) || Object.values(value).some(requiresFiles);
}

function mediaOf(part: InPart): InMedia | null {
  if (part.type === "media") return part;
  return part.type === "app_card" ? part.image : null;
}

/** The files of taken parts. */
export function filesOf(taken: readonly ReceivedFilePart[]): NewFile[] {
  return taken.flatMap(({ file }) => file ?? []);
}

/** Inserts the rows of an inbound message's files, links them to the message, and returns its parts for storage. */
export async function insertReceivedFiles(
  tx: Sql,
  { line, inbound, messageId, at }: Arrival,
  taken: readonly ReceivedFilePart[],
): Promise<StoredPart[]> {
  const files = filesOf(taken);
  const { accountId, id: lineId } = line;
  const rows =
    files.length === 0
      ? []
      : await insertAttachments(tx, {
          accountId,
          lineId,
          source: "received",
          status: "complete",
          at,
          files,
        });
  if (rows.length > 0) await recordFileUses(tx, accountId, messageId, rows);

  const byId = new Map(rows.map((row) => [row.id, row]));
  const seen = { own: line.phoneNumber, reportsMentions: inbound.service === "iMessage" };
  return taken.flatMap(
    ({ part, file }) => toReceivedPart(part, byId.get(file?.id ?? "") ?? null, seen) ?? [],
  );
}

async function storeReceivedFile(line: LineRef, part: InMedia): Promise<NewFile | null> {
  const { filename, mimeType } = part;
  // The peer's content type is not reliable. If it is unknown, the bytes determine the type.
  const contentType = mimeType !== null && isSupported(mimeType) ? currentName(mimeType) : null;
  try {
    const body = await part.open();
    return await storeFile({
      accountId: line.accountId,
      filename,
      contentType,
      mostBytes: MAX_UPLOAD_BYTES,
      body,
    });
  } catch (error) {
    // Otherwise the vendor would redeliver the event again and again.
    if (part.isRequired === true || !(error instanceof ApiError)) throw error;
    const { code } = error.row;
    log.warn({ lineId: line.id, code, ending: endingOf(filename) }, "an inbound file was omitted");
    return null;
  }
}

// File names are content, which logs must not contain.
function endingOf(filename: string): string | null {
  return /\.[a-z0-9]{1,5}$/i.exec(filename)?.[0] ?? null;
}
