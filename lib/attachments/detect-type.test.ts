import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { fitsType, typeOfBytes, typeOfExtension } from "@/lib/attachments/content-types";
import { detectType } from "@/lib/attachments/detect-type";
import type { RangeReader } from "@/lib/attachments/detect-zip";
import { FILES, sampleImage, sampleZip } from "@/lib/testing/file-samples";

function peek(bytes: Buffer): RangeReader & { bytesRead: number } {
  return {
    sizeBytes: bytes.length,
    bytesRead: 0,
    async read(start, length) {
      this.bytesRead += length;
      return bytes.subarray(start, start + length);
    },
  };
}

const fits = async (type: string, bytes: Buffer) => fitsType(type, await detectType(peek(bytes)));

describe("an honest file fits its type", () => {
  test.each([
    ["image/jpeg", "jpeg"],
    ["image/png", "png"],
    ["image/gif", "gif"],
    ["image/webp", "webp"],
    ["image/tiff", "tiff"],
  ] as const)("%s", async (type, format) => {
    expect(await fits(type, await sampleImage(format))).toBe(true);
  });

  test("a TIFF larger than what is looked at, with its tags at the end; but no camera's raw file", async () => {
    const scan = await sharp({ create: { width: 200, height: 200, channels: 3, background: "red" } })
      .tiff({ compression: "none" })
      .toBuffer();
    expect(await fits("image/tiff", scan)).toBe(true);
    expect(await fits("image/tiff", Buffer.from("II*\0\x10\0\xff\0CR\x02\0", "latin1"))).toBe(false);
  });

  test.each([
    ["image/bmp", "bmp"],
    ["image/heic", "heic"],
    ["image/heif", "heic"],
    ["image/x-icon", "ico"],
    ["image/svg+xml", "svg"],
    ["video/mp4", "mp4"],
    ["video/quicktime", "mov"],
    ["audio/mpeg", "mp3"],
    ["audio/mpeg", "taggedMp3"],
    ["audio/mp3", "mp3"],
    ["audio/x-m4a", "m4a"],
    ["audio/mp4", "m4a"],
    ["audio/x-caf", "caf"],
    ["audio/x-wav", "wav"],
    ["audio/x-aiff", "aiff"],
    ["audio/aiff", "aiff"],
    ["audio/amr", "amr"],
    ["audio/midi", "midi"],
    ["application/pdf", "pdf"],
    ["text/plain", "text"],
    ["text/plain", "latin1"],
    ["text/csv", "utf16"],
    ["text/csv", "csv"],
    ["text/markdown", "text"],
    ["text/html", "html"],
    ["text/xml", "xml"],
    ["text/rtf", "rtf"],
    ["text/vcard", "vcard"],
    ["text/calendar", "calendar"],
    ["application/json", "json"],
    ["application/msword", "doc"],
    ["application/vnd.ms-excel", "doc"],
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
    ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
    ["application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"],
    ["application/x-iwork-pages-sffpages", "pages"],
    ["application/vnd.apple.pkpass", "pkpass"],
    ["application/epub+zip", "epub"],
    ["application/zip", "zip"],
    ["application/zip", "docx"],
    ["application/x-gzip", "gzip"],
  ] as const)("%s: %s", async (type, name) => {
    expect(await fits(type, FILES[name])).toBe(true);
  });
});

describe("a lying file fits nothing it is not", () => {
  test.each([
    ["image/jpeg", "elf"],
    ["image/png", "exe"],
    ["image/png", "html"],
    ["image/jpeg", "svg"],
    ["text/plain", "shell"],
    ["text/plain", "elf"],
    ["application/zip", "exe"],
    ["audio/x-wav", "flac"],
    ["audio/mpeg", "ogg"],
    ["application/pdf", "html"],
    ["application/vnd.apple.pkpass", "zip"],
    ["application/epub+zip", "docx"],
    ["text/vcard", "text"],
    ["image/svg+xml", "html"],
    ["application/json", "text"],
  ] as const)("%s: %s", async (type, name) => {
    expect(await fits(type, FILES[name])).toBe(false);
  });

  test("a truncated image", async () => {
    const png = await sampleImage("png");
    const gif = await sampleImage("gif");
    expect(await fits("image/png", png.subarray(0, png.length - 12))).toBe(false);
    expect(await fits("image/gif", gif.subarray(0, gif.length - 8))).toBe(false);
    expect(await fits("application/zip", FILES.zip.subarray(0, FILES.zip.length - 4))).toBe(false);
  });
});

test("an archive that pretends to hold gigabytes in a million files is recognized by a small part of its bytes, and never unpacked", async () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `${index}/${"n".repeat(40)}`);
  const file = peek(sampleZip(names, 0xfffffff0));
  expect(await detectType(file)).toBe("application/zip");
  expect(file.bytesRead).toBeLessThan(512 * 1024);
});

test("whatever the bytes, an answer comes and little is read", async () => {
  const starts = Object.values(FILES).map((file) => file.subarray(0, 40));
  const bytes = fc
    .tuple(fc.constantFrom(Buffer.alloc(0), ...starts), fc.uint8Array({ minLength: 1, maxLength: 6000 }))
    .map(([start, rest]) => Buffer.concat([start, rest]));
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      const file = peek(content);
      await detectType(file);
      expect(file.bytesRead).toBeLessThan(400_000);
    }),
    { numRuns: 300 },
  );
});

test("a url's extension names a type; what only pre-uploads may be has none", () => {
  expect(typeOfExtension("JPG")).toBe("image/jpeg");
  expect(typeOfExtension("caf")).toBe("audio/x-caf");
  expect(typeOfExtension("key")).toBe("application/x-iwork-keynote-sffkey");
  for (const extension of ["webp", "svg", "exe", "flac", "ogg", "avi", "md", "json", ""]) {
    expect(typeOfExtension(extension)).toBeNull();
  }
});

test("bytes without a name are what they look like", () => {
  expect(typeOfBytes("image/png")).toEqual({ contentType: "image/png", extension: "png" });
  expect(typeOfBytes("audio/mpeg")).toEqual({ contentType: "audio/mpeg", extension: "mp3" });
  expect(typeOfBytes("application/x-elf")).toBeNull();
});
