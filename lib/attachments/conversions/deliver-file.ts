import "server-only";
import type { ByteStream } from "@/lib/adapters/storage/object-store";
import { objectStore } from "@/lib/adapters/storage/registry";
import { convertedKey, objectKey } from "@/lib/attachments/attachment";
import { CONVERSIONS, type Conversion } from "@/lib/attachments/conversions/convert-file";
import {
  findDerivedFile,
  storeDerivedFailure,
  storeDerivedFile,
} from "@/lib/attachments/conversions/store-derived-file";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";

/** A stored file of the account. */
export interface StoredFile {
  accountId: string;
  attachmentId: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
}

/** A file as the recipient gets it. */
export interface DeliveredFile {
  filename: string;
  contentType: string;
  sizeBytes: number;
  /** Rejects when the file was deleted in the meantime. */
  open(): Promise<ByteStream>;
}

/**
 * Returns a file in its delivery format: TIFF as JPEG, CAF as MP4, other types unchanged
 * (docs/contract.md, section 10.5). A file is converted once and the result is stored beside it. If the conversion
 * fails, the file is delivered unchanged and the attachment records the reason; it is not converted again. Returns null
 * when the file was deleted.
 */
export async function deliverFile(file: StoredFile): Promise<DeliveredFile | null> {
  const stored = await objectStore().head(objectKey(file));
  if (stored === null) return null;
  const conversion = CONVERSIONS.get(file.contentType);
  const sizeBytes = conversion === undefined ? null : await convertOnce(file, conversion.run);
  if (conversion === undefined || sizeBytes === null) {
    return { ...file, sizeBytes: stored.sizeBytes, open: () => openObject(objectKey(file)) };
  }
  return {
    filename: file.filename.replace(/\.[^.]+$|$/, `.${conversion.extension}`),
    contentType: conversion.contentType,
    sizeBytes,
    open: () => openObject(convertedKey(file)),
  };
}

async function convertOnce(file: StoredFile, convert: Conversion["run"]): Promise<number | null> {
  const known = await findDerivedFile(convertedKey(file));
  if (known === "failed") return null;
  if (known !== null) return known;
  try {
    const converted = await convert(await openObject(objectKey(file)), { accountId: file.accountId });
    await recordFault(
      file,
      converted === null ? "delivered unchanged: the conversion tool is not installed" : null,
    );
    return converted === null ? null : await storeDerivedFile(convertedKey(file), converted);
  } catch (error) {
    log.warn(
      { err: error, attachmentId: file.attachmentId },
      "a file is delivered unchanged because it could not be converted",
    );
    await storeDerivedFailure(convertedKey(file));
    await recordFault(
      file,
      `delivered unchanged: the ${file.contentType} file could not be read and may be corrupt`,
    );
    return null;
  }
}

const NOTE_FILE_FAULT = statement(
  "note-file-fault",
  "update attachments set fault = :fault where account_id = :accountId and id = :attachmentId and fault is distinct from :fault",
);

// The file's page shows this, so that users know the file was not delivered as the specification describes.
async function recordFault({ accountId, attachmentId }: StoredFile, fault: string | null): Promise<void> {
  await sql.run(NOTE_FILE_FAULT, { accountId, attachmentId, fault });
}

async function openObject(key: string): Promise<ByteStream> {
  const found = await objectStore().get(key);
  if (found === null) throw new Error("the file was deleted");
  return found.body;
}
