import "server-only";
import type { RangeReader } from "@/lib/attachments/file-types/detect-zip";

/** Bytes that are read at a time, and in all: a file whose blocks go on beyond that is taken as whole. */
const PIECE_BYTES = 64 * 1024;
const MAX_BYTES = 2 * 1024 * 1024;

const PNG_HEAD = 8;
const PNG_CHUNK_FRAME = 12;
const GIF_HEAD = 13;
const GIF_IMAGE = 0x2c;
const GIF_EXTENSION = 0x21;
const GIF_IMAGE_BYTES = 9;

interface EndRule {
  /** The end marker and its usual distance from the end, so that most files are not read again. */
  mark: string;
  withinBytes: number;
  /** Walks the blocks up to the end that they state. Bytes after it belong to another program and are allowed. */
  walk(file: Bytes): Promise<void>;
}

const RULES: ReadonlyMap<string, EndRule> = new Map([
  ["image/png", { mark: "IEND", withinBytes: 64 * 1024, walk: walkPng }],
  ["image/gif", { mark: ";", withinBytes: 4, walk: walkGif }],
]);

/** Whether a file of this type is whole: truncated PNG and GIF files are not. Other types are not looked at. */
export async function hasEnd(file: RangeReader, type: string): Promise<boolean> {
  const rule = RULES.get(type);
  if (rule === undefined) return true;
  const length = Math.min(rule.withinBytes, file.sizeBytes);
  if ((await file.read(file.sizeBytes - length, length)).includes(rule.mark)) return true;
  try {
    await rule.walk(bytesOf(file));
    return true;
  } catch (error) {
    if (error instanceof EndOfFile) return false;
    if (error instanceof TooLong) return true;
    throw error;
  }
}

class EndOfFile extends Error {}
class TooLong extends Error {}

/** Single bytes of a file, read in pieces. Throws EndOfFile behind its end and TooLong after MAX_BYTES. */
type Bytes = (at: number) => Promise<number>;

function bytesOf(file: RangeReader): Bytes {
  let piece: Buffer = Buffer.alloc(0);
  let pieceAt = 0;
  let readBytes = 0;
  return async (at) => {
    if (at >= file.sizeBytes) throw new EndOfFile();
    if (at < pieceAt || at >= pieceAt + piece.length) {
      if (readBytes >= MAX_BYTES) throw new TooLong();
      piece = await file.read(at, Math.min(PIECE_BYTES, file.sizeBytes - at));
      pieceAt = at;
      readBytes += piece.length;
    }
    const byte = piece[at - pieceAt];
    if (byte === undefined) throw new EndOfFile();
    return byte;
  };
}

async function walkPng(byte: Bytes): Promise<void> {
  for (let at = PNG_HEAD; ; ) {
    const head = await Promise.all(
      Array.from({ length: 8 }, (_, index) => index).map((index) => byte(at + index)),
    );
    const length = Buffer.from(head).readUInt32BE(0);
    const name = Buffer.from(head).toString("latin1", 4);
    if (name === "IEND") return;
    at += PNG_CHUNK_FRAME + length;
  }
}

// Viewers stop at a block that they do not know, so this does too.
async function walkGif(byte: Bytes): Promise<void> {
  let at = GIF_HEAD + colorBytes(await byte(10));
  for (;;) {
    const block = await byte(at);
    if (block === GIF_EXTENSION) at = await skipBlocks(byte, at + 2);
    else if (block === GIF_IMAGE) {
      const colors = colorBytes(await byte(at + GIF_IMAGE_BYTES));
      at = await skipBlocks(byte, at + GIF_IMAGE_BYTES + 1 + colors + 1);
    } else return;
  }
}

/** The size of a color table, from the flags before it. */
function colorBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

async function skipBlocks(byte: Bytes, from: number): Promise<number> {
  let at = from;
  for (;;) {
    const length = await byte(at);
    at += 1 + length;
    if (length === 0) return at;
  }
}
