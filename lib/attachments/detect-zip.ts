import "server-only";

/** Random access to small pieces of a file. */
export interface RangeReader {
  sizeBytes: number;
  read(start: number, length: number): Promise<Buffer>;
}

const END_BYTES = 22;
const MAX_COMMENT = 0xffff;
/** Bytes at the end of a file that contain the end of a ZIP directory, and the end marks of other types. */
export const MAX_END_BYTES = END_BYTES + MAX_COMMENT;
const END_MARK = Buffer.from("PK\x05\x06", "latin1");
const ENTRY_MARK = 0x02014b50;
const ENTRY_BYTES = 46;
const MAX_DIRECTORY_BYTES = 256 * 1024;
const MAX_ENTRIES = 2000;

/** Archive types by the names they contain. All names of a row are required; a name ending in `/` is a folder. */
const KINDS: readonly (readonly [names: readonly string[], type: string])[] = [
  [["[Content_Types].xml", "word/"], "docx"],
  [["[Content_Types].xml", "xl/"], "xlsx"],
  [["[Content_Types].xml", "ppt/"], "pptx"],
  [["Index/Document.iwa"], "iwork"],
  // Current versions of Numbers and Keynote can store their index in a nested archive.
  [["Index.zip"], "iwork"],
  [["pass.json", "manifest.json"], "pkpass"],
  [["mimetype", "META-INF/container.xml"], "application/epub+zip"],
];

/**
 * Detects the type of a ZIP from at most 2000 names in its central directory. Returns null without a directory, for
 * example in a truncated file.
 */
export async function detectZip(file: RangeReader): Promise<string | null> {
  const directory = await readDirectory(file);
  if (directory === null) return null;
  const names = namesIn(directory);
  const has = (wanted: string) =>
    names.some((name) => (wanted.endsWith("/") ? name.startsWith(wanted) : name === wanted));
  return KINDS.find(([wanted]) => wanted.every(has))?.[1] ?? "application/zip";
}

async function readDirectory(file: RangeReader): Promise<Buffer | null> {
  const length = Math.min(file.sizeBytes, MAX_END_BYTES);
  const tail = await file.read(file.sizeBytes - length, length);
  const at = tail.lastIndexOf(END_MARK);
  if (at === -1 || at + END_BYTES > tail.length) return null;
  const sizeBytes = tail.readUInt32LE(at + 12);
  const start = tail.readUInt32LE(at + 16);
  if (start + sizeBytes > file.sizeBytes) return null;
  return file.read(start, Math.min(sizeBytes, MAX_DIRECTORY_BYTES));
}

function namesIn(directory: Buffer): string[] {
  const names: string[] = [];
  let at = 0;
  while (names.length < MAX_ENTRIES && at + ENTRY_BYTES <= directory.length) {
    if (directory.readUInt32LE(at) !== ENTRY_MARK) break;
    const nameBytes = directory.readUInt16LE(at + 28);
    const moreBytes = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    names.push(directory.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes));
    at += ENTRY_BYTES + nameBytes + moreBytes;
  }
  return names;
}
