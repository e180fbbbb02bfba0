import "server-only";

interface Chunk {
  id: string;
  /** The offset of the chunk's content. */
  start: number;
  size: number;
}

/** Duration of a WAV file in seconds: the size of its data divided by the byte rate of its format. */
export function wavSeconds(file: Buffer): number | null {
  const chunks = [...chunksOf(file, 12, (at) => file.readUInt32LE(at))];
  const format = chunks.find(({ id }) => id === "fmt ");
  const data = chunks.find(({ id }) => id === "data");
  if (format === undefined || data === undefined) return null;
  // The header of an unfinished stream contains no size.
  const sizeBytes = Math.min(data.size, file.length - data.start);
  return sizeBytes / file.readUInt32LE(format.start + 8);
}

/** Duration of an AIFF file in seconds: its frame count divided by the sample rate, an 80-bit extended float. */
export function aiffSeconds(file: Buffer): number | null {
  const common = [...chunksOf(file, 12, (at) => file.readUInt32BE(at))].find(({ id }) => id === "COMM");
  if (common === undefined) return null;
  const exponent = (file.readUInt16BE(common.start + 8) & 0x7fff) - 16_383 - 63;
  const rate = Number(file.readBigUInt64BE(common.start + 10)) * 2 ** exponent;
  return file.readUInt32BE(common.start + 2) / rate;
}

const CAF_HEADER_BYTES = 8;

/** Duration of a CAF file in seconds, from the frame count of its packet table, or else from the size of its data. */
export function cafSeconds(file: Buffer): number | null {
  const found = new Map<string, number>();
  for (let at = CAF_HEADER_BYTES; at + 12 <= file.length; ) {
    found.set(file.toString("latin1", at, at + 4), at + 12);
    const size = Number(file.readBigInt64BE(at + 4));
    if (size < 0) break;
    at += 12 + size;
  }
  const format = found.get("desc");
  if (format === undefined) return null;
  const rate = file.readDoubleBE(format);
  const table = found.get("pakt");
  if (table !== undefined) return Number(file.readBigInt64BE(table + 8)) / rate;

  const data = found.get("data");
  const packetBytes = file.readUInt32BE(format + 16);
  if (data === undefined || packetBytes === 0) return null;
  const size = Number(file.readBigInt64BE(data - 8));
  const sizeBytes = (size < 0 ? file.length - data : size) - 4;
  return ((sizeBytes / packetBytes) * file.readUInt32BE(format + 20)) / rate;
}

/** Duration of an MPEG-4 file in seconds, from its movie header. */
export function mp4Seconds(file: Buffer): number | null {
  const movie = findBox(file, "moov", 0, file.length);
  const header = movie === null ? null : findBox(file, "mvhd", movie.start, movie.start + movie.size);
  if (header === null) return null;
  const isLong = file.readUInt8(header.start) === 1;
  const scale = file.readUInt32BE(header.start + (isLong ? 20 : 12));
  const length = isLong
    ? Number(file.readBigUInt64BE(header.start + 24))
    : file.readUInt32BE(header.start + 16);
  return length / scale;
}

function findBox(file: Buffer, name: string, from: number, end: number): Chunk | null {
  for (let at = from; at + 8 <= end; ) {
    const short = file.readUInt32BE(at);
    const headBytes = short === 1 ? 16 : 8;
    const size = short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short === 0 ? end - at : short;
    if (size < headBytes) return null;
    const id = file.toString("latin1", at + 4, at + 8);
    if (id === name) return { id, start: at + headBytes, size: size - headBytes };
    at += size;
  }
  return null;
}

// Chunks begin at even offsets.
function* chunksOf(file: Buffer, from: number, sizeAt: (at: number) => number): Generator<Chunk> {
  for (let at = from; at + 8 <= file.length; ) {
    const size = sizeAt(at + 4);
    yield { id: file.toString("latin1", at, at + 4), start: at + 8, size };
    at += 8 + size + (size % 2);
  }
}
