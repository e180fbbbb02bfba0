import fc from "fast-check";
import { expect, test } from "vitest";
import { detectType } from "@/lib/attachments/file-types/detect-type";
import type { RangeReader } from "@/lib/attachments/file-types/detect-zip";
import { keepEnds } from "@/lib/attachments/store/keep-ends";
import { FILES, sampleImage, sampleZip } from "@/lib/testing/samples/file-samples";

const KIB = 1024;

/** The stored file. Counts its reads. */
function stored(bytes: Buffer): RangeReader & { reads: number } {
  return {
    sizeBytes: bytes.length,
    reads: 0,
    async read(start, length) {
      this.reads += 1;
      return bytes.subarray(start, start + length);
    },
  };
}

/** Passes a file in chunks, as an upload. Returns its bytes as the consumer got them, and a reader of its ends. */
async function pass(bytes: Buffer, chunkBytes: number) {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const ends = keepEnds();
  const passed: Uint8Array[] = [];
  for await (const chunk of ends.pass(chunks())) passed.push(chunk);
  const file = stored(bytes);
  return { passed: Buffer.concat(passed), file, reader: ends.over(file) };
}

const padded = (file: Buffer) => Buffer.concat([file, Buffer.alloc(300 * KIB)]);

test.each([
  ["an MP4, by its start", () => padded(FILES.mp4), "video/mp4"],
  ["a PDF, by its start", () => padded(FILES.pdf), "application/pdf"],
  ["a text, by its start", () => Buffer.alloc(300 * KIB, "words "), "text/plain"],
  ["a PNG, by its start and its end", () => sampleImage("png"), "image/png"],
  ["a ZIP container, by its end", () => zipOf(300 * KIB, "word/document.xml"), "docx"],
] as const)("%s: the type is found without a second read", async (_, make, type) => {
  const { file, reader } = await pass(await make(), 64 * KIB);
  expect(await detectType(reader)).toBe(type);
  expect(file.reads).toBe(0);
});

test("a ZIP whose directory lies before the kept end is read again there, and its type is found", async () => {
  const names = Array.from({ length: 1900 }, (_, index) => `word/${index}/${"n".repeat(60)}`);
  const { file, reader } = await pass(sampleZip(["[Content_Types].xml", ...names]), 64 * KIB);
  expect(await detectType(reader)).toBe("docx");
  expect(file.reads).toBe(1);
});

test("property: the bytes pass unchanged in any chunks, and every range is that of the stored file", async () => {
  const bytes = Buffer.from(Array.from({ length: 200 * KIB }, (_, index) => (index * index) % 253));
  const at = fc.nat(bytes.length);
  const chunk = fc.oneof(
    fc.integer({ min: 500, max: 9000 }),
    fc.constantFrom(64 * KIB, 100 * KIB, 300 * KIB),
  );
  await fc.assert(
    fc.asyncProperty(chunk, at, at, at, async (chunkBytes, size, one, other) => {
      const content = bytes.subarray(0, size);
      const { passed, reader } = await pass(content, chunkBytes);
      expect(passed.equals(content)).toBe(true);
      const [start, end] = [Math.min(one, other, size), Math.min(Math.max(one, other), size)];
      expect((await reader.read(start, end - start)).equals(content.subarray(start, end))).toBe(true);
    }),
    { numRuns: 200 },
  );
});

/** A ZIP with this many bytes before its directory. */
function zipOf(contentBytes: number, name: string): Buffer {
  const zip = sampleZip(["[Content_Types].xml", name]);
  const endAt = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  const directoryAt = zip.readUInt32LE(endAt + 16);
  const end = Buffer.from(zip.subarray(directoryAt));
  end.writeUInt32LE(directoryAt + contentBytes, endAt - directoryAt + 16);
  return Buffer.concat([zip.subarray(0, directoryAt), Buffer.alloc(contentBytes), end]);
}
