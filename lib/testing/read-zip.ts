const END = 0x06054b50;
const ENTRY = 0x02014b50;

/** Reads the files of a ZIP whose files are stored without compression, by its directory at the end. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end === -1 || zip.readUInt32LE(end) !== END) throw new Error("not a whole ZIP");
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error("the ZIP's directory is broken");
    const [size, nameBytes, extraBytes] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
    ];
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString("utf8", at + 46, at + 46 + nameBytes);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    files.set(name, zip.subarray(from, from + size));
    at += 46 + nameBytes + extraBytes;
  }
  return files;
}

/** The objects of a JSONL file of a ZIP. */
export function readLines(files: ReadonlyMap<string, Buffer>, name: string): Record<string, unknown>[] {
  const text = files.get(name)?.toString("utf8") ?? "";
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
