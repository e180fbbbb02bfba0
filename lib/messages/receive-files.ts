import "server-only";
import type { InMedia, InPart, LineRef } from "@/lib/adapters/transports/transport";
import { UPLOAD_MOST_BYTES } from "@/lib/attachments/attachment";
import { currentName, isSupported } from "@/lib/attachments/content-types";
import { insertAttachments, type NewFile } from "@/lib/attachments/insert-attachments";
import { noteUses } from "@/lib/attachments/media-rows";
import { storeFile } from "@/lib/attachments/store-file";
import type { Arrival } from "@/lib/messages/find-inbound-chat";
import { toStoredMedia } from "@/lib/messages/media-part";
import type { StoredPart } from "@/lib/messages/message-part";
import type { Sql } from "@/lib/platform/db";
import { ApiError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";

/** A part of an inbound message whose bytes are in the store, but not yet anybody's. */
export type TakenPart = { type: "text"; value: string } | { type: "media"; file: NewFile };

/** What becomes of a file that is not accepted: real transports must not bring it again and again. */
export type RefusedFiles = "left_out" | "fail";

/** Stores the files of an inbound message, checked as any other; of no message without files anything. */
export async function takeFiles(
  line: LineRef,
  parts: readonly InPart[],
  refused: RefusedFiles,
): Promise<TakenPart[]> {
  const taken: TakenPart[] = [];
  for (const part of parts) {
    if (part.type === "text") taken.push(part);
    else taken.push(...(await takeFile(line, part, refused)));
  }
  return taken;
}

/** The files of taken parts. */
export function filesOf(taken: readonly TakenPart[]): NewFile[] {
  return taken.flatMap((part) => (part.type === "media" ? part.file : []));
}

/** Makes taken files the account's own and the message's: its parts as they are kept. */
export async function keepParts(
  tx: Sql,
  { line, messageId, at }: Arrival,
  taken: readonly TakenPart[],
): Promise<StoredPart[]> {
  const files = filesOf(taken);
  const { accountId, id: lineId } = line;
  const rows =
    files.length === 0
      ? []
      : await insertAttachments(tx, { accountId, lineId, status: "complete", at, files });
  if (rows.length > 0) await noteUses(tx, accountId, messageId, rows);

  const byId = new Map(rows.map((row) => [row.id, row]));
  return taken.flatMap((part): StoredPart[] => {
    if (part.type === "text")
      return [{ ...part, text_decorations: null, inline_stickers: null, mentions: null }];
    const row = byId.get(part.file.id);
    return row === undefined ? [] : [toStoredMedia(row, false)];
  });
}

async function takeFile(line: LineRef, part: InMedia, refused: RefusedFiles): Promise<TakenPart[]> {
  const { filename, mimeType } = part;
  // What the peer calls it may be anything; then the bytes decide.
  const contentType = mimeType !== null && isSupported(mimeType) ? currentName(mimeType) : null;
  try {
    const body = await part.open();
    const file = await storeFile({
      accountId: line.accountId,
      filename,
      contentType,
      mostBytes: UPLOAD_MOST_BYTES,
      body,
    });
    return [{ type: "media", file }];
  } catch (error) {
    if (refused === "fail" || !(error instanceof ApiError)) throw error;
    log.warn({ lineId: line.id, filename, reason: error.message }, "a file somebody sent was left out");
    return [];
  }
}
