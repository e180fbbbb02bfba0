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
const ZIP64_MARK = Buffer.from("PK\x06\x06", "latin1");
const ZIP64_BYTES = 56;
const ENTRY_MARK = 0x02014b50;
const ENTRY_BYTES = 46;
const MAX_DIRECTORY_BYTES = 256 * 1024;
const MAX_ENTRIES = 2000;

/** Archive types by the names they contain. All names of a row are required; a name ending in `/` is a folder. */
const KINDS: readonly (readonly [names: readonly string[], type: string])[] = [
  [["[Content_Types].xml", "word/"], "docx"],
  [["[Content_Types].xml", "xl/"], "xlsx"],
  [["[Content_Types].xml", "ppt/"], "pptx"],
  // The names of folders are only a convention.
  [["[Content_Types].xml", "_rels/.rels"], "ooxml"],
  [["Index/Document.iwa"], "iwork"],
  // Current versions of Numbers and Keynote can store their index in a nested archive.
  [["Index.zip"], "iwork"],
  // iWork '09.
  [["index.xml"], "iwork"],
  [["index.xml.gz"], "iwork"],
  [["index.apxl"], "iwork"],
  [["index.apxl.gz"], "iwork"],
  [["pass.json", "manifest.json"], "pkpass"],
  [["META-INF/container.xml"], "application/epub+zip"],
];

/**
 * Detects the type of a ZIP from at most 2000 names in its central directory. Returns null without a directory, for
 * example in a truncated file.
 */
export async function detectZip(file: RangeReader): Promise<string | null> {
  const directory = await readDirectory(file);
  if (directory === null) return null;
  const names = namesIn(directory).map(normalize);
  const has = (wanted: string) => {
    const normal = normalize(wanted);
    return names.some((name) => (normal.endsWith("/") ? name.startsWith(normal) : name === normal));
  };
  return KINDS.find(([wanted]) => wanted.every(has))?.[1] ?? "application/zip";
}

// Some programs write the separators of Windows, a leading `./`, or names in another case. Readers accept them.
function normalize(name: string): string {
  return name
    .replaceAll("\\", "/")
    .replace(/^(\.?\/)+/, "")
    .toLowerCase();
}

async function readDirectory(file: RangeReader): Promise<Buffer | null> {
  const length = Math.min(file.sizeBytes, MAX_END_BYTES);
  const tail = await file.read(file.sizeBytes - length, length);
  const at = tail.lastIndexOf(END_MARK);
  if (at === -1 || at + END_BYTES > tail.length) return null;
  const { sizeBytes, start, end } = zip64Directory(tail, at) ?? {
    sizeBytes: tail.readUInt32LE(at + 12),
    start: tail.readUInt32LE(at + 16),
    end: at,
  };
  const endsAt = file.sizeBytes - length + end;
  if (start + sizeBytes > endsAt) return null;
  // Bytes before the archive move the directory, but not the offset that the archive states.
  return file.read(endsAt - sizeBytes, Math.min(sizeBytes, MAX_DIRECTORY_BYTES));
}

/** The directory's size and offset in a ZIP64 record, which stands before the end. null = there is none. */
function zip64Directory(tail: Buffer, at: number): { sizeBytes: number; start: number; end: number } | null {
  if (tail.readUInt32LE(at + 16) !== 0xffffffff && tail.readUInt32LE(at + 12) !== 0xffffffff) return null;
  const end = tail.lastIndexOf(ZIP64_MARK, at);
  if (end === -1 || end + ZIP64_BYTES > tail.length) return null;
  return {
    sizeBytes: Number(tail.readBigUInt64LE(end + 40)),
    start: Number(tail.readBigUInt64LE(end + 48)),
    end,
  };
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
