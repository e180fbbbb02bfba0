import fc from "fast-check";
import { expect, test } from "vitest";
import { audioDuration } from "@/lib/attachments/measurements/audio-duration";
import { FILES, sampleWav } from "@/lib/testing/samples/file-samples";

function chunk(id: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length);
  return Buffer.concat([Buffer.from(id, "latin1"), size, content]);
}

function box(id: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length + 8);
  return Buffer.concat([size, Buffer.from(id, "latin1"), content]);
}

function aiff(frames: number): Buffer {
  const common = Buffer.alloc(18);
  common.writeUInt32BE(frames, 2);
  // 8000 as an 80-bit extended float.
  common.writeUInt16BE(16_383 + 12, 8);
  common.writeBigUInt64BE(8000n << 51n, 10);
  return Buffer.concat([Buffer.from("FORM\0\0\0\0AIFF"), chunk("COMM", common)]);
}

function caf(frames: number): Buffer {
  const head = (id: string, size: number) => {
    const bytes = Buffer.alloc(12);
    bytes.write(id, "latin1");
    bytes.writeBigInt64BE(BigInt(size), 4);
    return bytes;
  };
  const format = Buffer.alloc(32);
  format.writeDoubleBE(8000);
  format.writeUInt32BE(2, 16);
  format.writeUInt32BE(1, 20);
  const sound = Buffer.alloc(4 + frames * 2);
  return Buffer.concat([
    Buffer.from("caff\0\x01\0\0", "latin1"),
    head("desc", 32),
    format,
    head("data", sound.length),
    sound,
  ]);
}

function m4a(milliseconds: number): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt32BE(1000, 12);
  header.writeUInt32BE(milliseconds, 16);
  const type = box("ftyp", Buffer.from("M4A \0\0\0\0"));
  return Buffer.concat([type, box("mdat", Buffer.alloc(99)), box("moov", box("mvhd", header))]);
}

function frames(count: number, head: readonly number[], sizeBytes: number): Buffer {
  const frame = Buffer.alloc(sizeBytes);
  Buffer.from(head).copy(frame);
  return Buffer.concat(Array.from({ length: count }, () => frame));
}

// 128 kbit/s at 44.1 kHz: frames of 417 bytes and 1152 samples.
const mp3 = frames(100, [0xff, 0xfb, 0x90, 0], 417);
const table = Buffer.alloc(417);
Buffer.from([0xff, 0xfb, 0x90, 0]).copy(table);
table.write("Info", 36, "latin1");
// 44.1 kHz, 1024 samples, 200 bytes each.
const aac = frames(50, [0xff, 0xf1, 0x50, 0x80, 200 >> 3, ((200 & 7) << 5) | 0x1f, 0xfc], 200);

test.each<[string, string, Buffer, number | null]>([
  ["wav", "audio/x-wav", sampleWav(1500), 1500],
  ["aiff", "audio/aiff", aiff(12_000), 1500],
  ["caf", "audio/x-caf", caf(4000), 500],
  ["m4a", "audio/mp4", m4a(2750), 2750],
  ["mp3", "audio/mpeg", mp3, Math.round((100 * 1152) / 44.1)],
  [
    "mp3 with a tag and a table",
    "audio/mp3",
    Buffer.concat([Buffer.from("ID3\x03\0\0\0\0\0\x05abcde"), table, mp3]),
    2612,
  ],
  ["aac", "audio/aac", aac, Math.round((50 * 1024) / 44.1)],
  ["amr", "audio/amr", Buffer.concat([Buffer.from("#!AMR\n"), frames(75, [0x3c], 32)]), 1500],
  ["a file without its header", "audio/x-m4a", FILES.m4a, null],
  ["what is no sound", "application/pdf", FILES.pdf, null],
])("%s", (_, contentType, file, milliseconds) => {
  expect(audioDuration(file, contentType)).toBe(milliseconds);
});

const TYPES = ["mpeg", "x-m4a", "aac", "x-caf", "x-wav", "x-aiff", "amr"] as const;
const SAMPLES = [sampleWav(10), aiff(8), caf(8), m4a(8), mp3.subarray(0, 900), aac.subarray(0, 500)];

test("property: the duration of any bytes is a plausible number of milliseconds or none", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((random) => Buffer.from(random)),
    fc
      .tuple(fc.constantFrom(...SAMPLES), fc.nat(900), fc.integer({ min: 0, max: 255 }), fc.nat(900))
      .map(([sample, at, value, end]) => {
        const broken = Buffer.from(sample);
        if (at < broken.length) broken[at] = value;
        return broken.subarray(0, end);
      }),
  );
  fc.assert(
    fc.property(bytes, fc.constantFrom(...TYPES), (file, type) => {
      const found = audioDuration(file, `audio/${type}`);
      if (found !== null)
        expect(found).toSatisfy((ms: number) => Number.isInteger(ms) && ms >= 0 && ms <= 86_400_000);
    }),
    { numRuns: 500 },
  );
});
