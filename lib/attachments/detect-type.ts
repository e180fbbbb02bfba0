import "server-only";
import { fileTypeFromBuffer } from "file-type";
import { detectText } from "@/lib/attachments/detect-text";
import { detectZip, type RangeReader } from "@/lib/attachments/detect-zip";

/** Bytes at the start of a file that most types are detected from. */
export const SAMPLE_BYTES = 4100;

/**
 * Signatures that are checked before `file-type`, which does not know these formats, names them differently or
 * decompresses them.
 */
const SIGNATURES: readonly (readonly [bytes: string, type: string])[] = [
  ["caff\0", "audio/x-caf"],
  ["%PDF-", "application/pdf"],
  ["{\\rtf", "application/rtf"],
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
  ["\x1f\x8b\x08", "application/gzip"],
  ["#!AMR", "audio/amr"],
  ["#!", "application/x-sh"],
];

/** Formats with an end marker, and its maximum distance from the end. A file without the marker is truncated. */
const ENDS: ReadonlyMap<string, { mark: Buffer; withinBytes: number }> = new Map([
  ["image/png", { mark: Buffer.from("IEND"), withinBytes: 64 * 1024 }],
  ["image/gif", { mark: Buffer.from(";"), withinBytes: 4 }],
]);

/**
 * Detects the type of a file from its bytes, in the names that `CONTENT_TYPES` lists as `detected`. Returns null for
 * an unknown type. Reads only the start and the end and never unpacks anything, so that no crafted file can exhaust
 * memory or time.
 */
export async function detectType(file: RangeReader): Promise<string | null> {
  const start = await file.read(0, Math.min(SAMPLE_BYTES, file.sizeBytes));
  if (start.subarray(0, 4).equals(ZIP_START)) return detectZip(file);
  const signed = detectBySignature(start);
  if (signed !== null) return (await hasEnd(file, signed)) ? signed : null;
  return detectText(start) ?? (await detectByLibrary(start)) ?? tiff(start) ?? plainText(start);
}

const ZIP_START = Buffer.from("PK\x03\x04", "latin1");

function detectBySignature(start: Buffer): string | null {
  const text = start.toString("latin1", 0, 16);
  return SIGNATURES.find(([bytes]) => text.startsWith(bytes))?.[1] ?? null;
}

async function hasEnd(file: RangeReader, type: string): Promise<boolean> {
  const end = ENDS.get(type);
  if (end === undefined) return true;
  const length = Math.min(end.withinBytes, file.sizeBytes);
  return (await file.read(file.sizeBytes - length, length)).includes(end.mark);
}

async function detectByLibrary(start: Buffer): Promise<string | null> {
  try {
    return (await fileTypeFromBuffer(start))?.mime ?? null;
  } catch {
    // The header states more data than the file contains.
    return null;
  }
}

// The library needs the tags of a TIFF, which follow its image data and lie beyond the end of the sample. Raw formats
// of cameras begin the same way, followed by their own marker.
function tiff(start: Buffer): string | null {
  const head = start.toString("latin1", 0, 10);
  return /^(II\*\0|MM\0\*)/.test(head) && !head.endsWith("CR") ? "image/tiff" : null;
}

// Legacy 8-bit text: no known format, and only characters that text can contain.
function plainText(start: Buffer): string | null {
  const isText = start.every((byte) => byte >= 0x20 || [0x09, 0x0a, 0x0c, 0x0d].includes(byte));
  return isText ? "text/plain" : null;
}
