import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { fitsType, typeOfBytes, typeOfExtension } from "@/lib/attachments/file-types/content-types";
import { detectType } from "@/lib/attachments/file-types/detect-type";
import type { RangeReader } from "@/lib/attachments/file-types/detect-zip";
import { FILES, sampleImage, sampleZip } from "@/lib/testing/samples/file-samples";

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

const latin1 = (bytes: string) => Buffer.from(bytes, "latin1");
/** The first box of an ISO or QuickTime file, with 4,000 bytes of another. */
const box = (content: string) => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length + 4);
  return Buffer.concat([size, latin1(`${content}\0\0\x10\0mdat`), Buffer.alloc(4000)]);
};
const DTD = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">';

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

describe("a file that every viewer opens fits its type", () => {
  const zip = (...names: string[]) => sampleZip(names, 1);
  const text = (value: string) => Buffer.from(value);

  test.each([
    ["image/gif", "gif", 2],
    ["image/gif", "gif", 5000],
    ["image/gif", "gif", 200_000],
    ["image/png", "png", 100],
    ["image/png", "png", 200_000],
  ] as const)("%s %s with %i bytes after its end", async (type, format, length) => {
    const image = Buffer.concat([await sampleImage(format), Buffer.alloc(length, "x;")]);
    expect(await fits(type, image)).toBe(true);
  });

  test.each([
    [
      "pages of iWork '09",
      "application/x-iwork-pages-sffpages",
      zip("index.xml", "buildVersionHistory.plist"),
    ],
    [
      "keynote of iWork '09",
      "application/x-iwork-keynote-sffkey",
      zip("index.apxl", "QuickLook/Thumbnail.jpg"),
    ],
    [
      "docx with back-slashes",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      zip("[Content_Types].xml", "_rels\\.rels", "word\\document.xml"),
    ],
    [
      "xlsx with its parts elsewhere",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      zip("[content_types].xml", "_rels/.rels", "workbook.xml"),
    ],
    ["an empty archive", "application/zip", Buffer.from(`PK\x05\x06${"\0".repeat(18)}`, "latin1")],
    [
      "an encrypted docx",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      FILES.doc,
    ],
    ["a doc that is RTF", "application/msword", FILES.rtf],
    [
      "an xls that is a table of HTML",
      "application/vnd.ms-excel",
      text("<table><tr><td>1</td></tr></table>"),
    ],
    [
      "a vCard after blank lines",
      "text/vcard",
      text("\r\n\r\n \nBEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD\r\n"),
    ],
    ["a vCard with trailing blanks", "text/vcard", text("BEGIN:VCARD  \nVERSION:3.0 \nEND:VCARD \n")],
    ["a vCard in Latin-1", "text/vcard", Buffer.from("BEGIN:VCARD\nFN:Zo\xe9\nEND:VCARD\n", "latin1")],
    ["a vCard with returns only", "text/vcard", text("begin:vcard\rversion:2.1\rend:vcard\r")],
    ["a calendar after a mark", "text/calendar", text("\ufeff\nBEGIN:VCALENDAR \nEND:VCALENDAR\n")],
    ["RTF after a blank line", "text/rtf", text("\n{\\rtf1 hello}")],
    ["MP3 after zeros", "audio/mpeg", Buffer.concat([Buffer.alloc(5000), FILES.mp3])],
    ["a PDF after a blank line", "application/pdf", Buffer.concat([text("\r\n\0\0"), FILES.pdf])],
    ["a fragment of HTML", "text/html", text("<b>Hello</b> world")],
    ["HTML that begins with text", "text/html", text("Hello <span>world</span>")],
    ["HTML without a tag", "text/html", text("Hello")],
    ["a JSON text", "application/json", text('"hello"\n')],
    ["a JSON number", "application/json", text("-12.5e3")],
    ["JSON null", "application/json", text(" null ")],
    ["JSON after a mark", "application/json", text('\ufeff{"a":1}')],
    ["text with a bell", "text/plain", text("ready\x07\n")],
    ["text with an escape", "text/plain", text("\x1b[31mred\x1b[0m\x1a")],
    ["a log with separators", "text/plain", text("8=FIX.4.2\x019=178\x0135=8\x01")],
    ["a PDF after a mark", "application/pdf", text("\ufeff%PDF-1.4\n1 0 obj <<>> endobj\n%%EOF")],
    ["a PDF after the headers of a response", "application/pdf", text("HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n")],
    ["a PDF after a warning", "application/pdf", text("<br />\n<b>Warning</b>\n%PDF-1.4\n1 0 obj")],
    ["a text about PDF", "text/plain", text("Files that begin with %PDF-1.4 are PDF.")],
    ["JSON about PDF", "application/json", text('{"begins":"%PDF-1.4"}')],
    ["XML about PDF", "text/xml", text('<?xml version="1.0"?><file begins="%PDF-1.4"/>')],
    ["XHTML about PDF", "text/xml", text("<html><p>%PDF-1.4</p></html>")],
    ["an SVG about PDF", "image/svg+xml", text("<svg><text>%PDF-1.4</text></svg>")],
    [
      "an SVG after a long comment about PDF",
      "image/svg+xml",
      text(`<!-- %PDF- ${"x".repeat(5000)} --><svg/>`),
    ],
    ["a vCard about PDF", "text/vcard", text("BEGIN:VCARD\nNOTE:%PDF-1.4\nEND:VCARD\n")],
    ["a calendar about PDF", "text/calendar", text("BEGIN:VCALENDAR\nX:%PDF-1.4\nEND:VCALENDAR\n")],
    ["a doc that is a mail's parts", "application/msword", text("MIME-Version: 1.0\n\n--x\n")],
    ["a doc that is XML", "application/msword", text('<?xml version="1.0"?><w:wordDocument/>')],
    ["AAC in an MP4", "audio/aac", FILES.m4a],
    ["a recording in a 3GP", "audio/x-m4a", box("ftyp3gp4\0\0\0\0isom")],
    ["a HEIC with alpha", "image/heic", box("ftypheis\0\0\0\0mif1heis")],
    ["a MOV after skipped bytes", "video/quicktime", box("skip")],
    ["a MOV with a preview", "video/quicktime", box("pnot")],
    ["a segment of an MP4", "video/mp4", box("stypmsdh\0\0\0\0msdh")],
    ["a WAV of more than 4 GB", "audio/x-wav", latin1(`RF64\xff\xff\xff\xffWAVEds64${"\0".repeat(40)}`)],
    ["MIDI in RIFF", "audio/midi", latin1(`RIFF\0\0\x01\0RMIDdata\0\0\x01\0MThd${"\0".repeat(40)}`)],
    ["a ZIP that was split once", "application/zip", Buffer.concat([latin1("PK00"), FILES.zip])],
    [
      "an SVG after a mark, a type and a comment",
      "image/svg+xml",
      text(`\ufeff<?xml version="1.0"?>\n${DTD}<!-- <p> --><svg/>`),
    ],
    ["an SVG in UTF-16", "image/svg+xml", Buffer.from('\ufeff<?xml version="1.0"?><svg/>', "utf16le")],
    ["an SVG after a style", "image/svg+xml", text('<?xml-stylesheet href="a.css"?>\n<svg></svg>')],
    ["an SVG after entities", "image/svg+xml", text('<!DOCTYPE svg [<!ENTITY a "<b>">]>\n<svg x="&a;"/>')],
    ["an SVG after a long comment", "image/svg+xml", text(`<!-- ${"x".repeat(5000)} --><svg></svg>`)],
    ["XML after a long comment", "text/xml", text(`<?xml version="1.0"?><!-- ${"x".repeat(5000)} --><a/>`)],
    ["XHTML", "text/html", text('<?xml version="1.0"?><!DOCTYPE html><html><svg></svg></html>')],
    ["an SVG with a prefix", "image/svg+xml", text('<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>')],
  ])("%s", async (_what, type, bytes) => {
    expect(await fits(type, bytes)).toBe(true);
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
    ["image/svg+xml", "xml"],
    ["audio/aac", "text"],
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

test("property: detection ends for any bytes and reads few of them", async () => {
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
