import "server-only";
import { fileTypeFromBuffer } from "file-type";
import { hasEnd } from "@/lib/attachments/file-types/detect-end";
import { detectText } from "@/lib/attachments/file-types/detect-text";
import { detectZip, type RangeReader } from "@/lib/attachments/file-types/detect-zip";

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
  ["RF64", "audio/wav"],
  ["BW64", "audio/wav"],
  ["#!AMR", "audio/amr"],
  ["#!", "application/x-sh"],
];

/** PDF viewers accept this many bytes before the signature. */
const PDF_WITHIN_BYTES = 1024;
/** Zeros before a file's first byte that are skipped: some recorders pad an MP3 file. */
const PADDING_BYTES = 64 * 1024;

/**
 * Detects the type of a file from its bytes, in the names that `CONTENT_TYPES` lists as `detected`. Returns null for
 * an unknown type. Reads only the start and the end and never unpacks anything, so that no crafted file can exhaust
 * memory or time.
 */
export async function detectType(file: RangeReader): Promise<string | null> {
  const start = await file.read(0, Math.min(SAMPLE_BYTES, file.sizeBytes));
  if (ZIP_STARTS.some((bytes) => start.subarray(0, 4).equals(bytes))) return detectZip(file);
  const signed = detectBySignature(start);
  if (signed !== null) return (await hasEnd(file, signed)) ? signed : null;
  const text = detectText(start);
  if (text !== null) return (isLatePdf(start) ? LATE_PDFS.get(text) : null) ?? text;
  return (
    detectBox(start) ??
    (await detectByLibrary(start)) ??
    tiff(start) ??
    (isLatePdf(start) ? "application/pdf" : null) ??
    (await padded(file))
  );
}

/** Kinds of text that can stand before a PDF, such as a warning of a program, or be about PDF. The others are certain. */
const LATE_PDFS: ReadonlyMap<string, string> = new Map([
  ["text/plain", "late-pdf"],
  ["text/html", "late-pdf-markup"],
  ["application/xml", "late-pdf-markup"],
  ["markup", "late-pdf-prolog"],
]);

/** A ZIP begins with a file, with its end when it has none, or with a mark of archives that were split once. */
const ZIP_STARTS = ["PK\x03\x04", "PK\x05\x06", "PK\x07\x08", "PK00"].map((mark) =>
  Buffer.from(mark, "latin1"),
);

/** First boxes of ISO and QuickTime files, and brands of images, that the library does not know. */
const BOXES: readonly (readonly [RegExp, string])[] = [
  [/^....ftyp(heim|heis|hevm|hevs|mif2|mif3)/s, "image/heif"],
  [/^....(skip|pnot)/s, "video/quicktime"],
  [/^....styp/s, "video/mp4"],
  [/^RIFF....RMID/s, "audio/midi"],
];

function detectBox(start: Buffer): string | null {
  const text = start.toString("latin1", 0, 16);
  return BOXES.find(([begins]) => begins.test(text))?.[1] ?? null;
}

function detectBySignature(start: Buffer): string | null {
  const text = start.toString("latin1", 0, 16);
  return SIGNATURES.find(([bytes]) => text.startsWith(bytes))?.[1] ?? null;
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

function isLatePdf(start: Buffer): boolean {
  return start.subarray(0, PDF_WITHIN_BYTES).includes("%PDF-");
}

async function padded(file: RangeReader): Promise<string | null> {
  const head = await file.read(0, Math.min(PADDING_BYTES, file.sizeBytes));
  const from = head.findIndex((byte) => byte !== 0);
  if (from <= 0) return null;
  const type = await detectByLibrary(await file.read(from, Math.min(SAMPLE_BYTES, file.sizeBytes - from)));
  return type === "audio/mpeg" ? type : null;
}
