import { gzipSync } from "node:zlib";
import sharp from "sharp";

const SIDE = 24;

/** A valid image in the given format. */
export function sampleImage(format: "jpeg" | "png" | "gif" | "webp" | "tiff"): Promise<Buffer> {
  const image = { width: SIDE, height: SIDE, channels: 3, background: { r: 200, g: 40, b: 90 } } as const;
  return sharp({ create: image }).toFormat(format).toBuffer();
}

const PADDING = Buffer.alloc(64);

/** Small files by type; images come from `sampleImage`. */
export const FILES = {
  elf: Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01\0", "latin1"), PADDING]),
  exe: Buffer.concat([Buffer.from("MZ\x90\0\x03\0\0\0", "latin1"), PADDING]),
  shell: Buffer.from("#!/bin/sh\nrm -rf /\n"),
  flac: Buffer.concat([Buffer.from("fLaC\0\0\0\x22", "latin1"), PADDING]),
  ogg: Buffer.concat([Buffer.from("OggS\0\x02", "latin1"), PADDING]),
  html: Buffer.from("<!doctype html><html><script>alert(1)</script></html>"),
  svg: Buffer.from(
    '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  ),
  xml: Buffer.from('<?xml version="1.0"?><order id="1"/>'),
  text: Buffer.from("Grüße aus dem Café\nMZansi\n"),
  latin1: Buffer.from("Gr\xfc\xdfe aus dem Caf\xe9\n", "latin1"),
  utf16: Buffer.from("\ufeffGrüße\tTab\r\n", "utf16le"),
  csv: Buffer.from("name,price\nCafé,3\n"),
  json: Buffer.from('{"a": [1, 2]}'),
  vcard: Buffer.from("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\nEND:VCARD\r\n"),
  calendar: Buffer.from("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"),
  rtf: Buffer.from("{\\rtf1\\ansi Hello}"),
  pdf: Buffer.from("%PDF-1.4\n1 0 obj\nendobj\n%%EOF\n"),
  caf: Buffer.concat([Buffer.from("caff\0\x01\0\0desc", "latin1"), PADDING]),
  wav: Buffer.concat([Buffer.from("RIFF\x24\0\0\0WAVEfmt ", "latin1"), PADDING]),
  aiff: Buffer.concat([Buffer.from("FORM\0\0\0\x24AIFF", "latin1"), PADDING]),
  amr: Buffer.concat([Buffer.from("#!AMR\n"), PADDING]),
  midi: Buffer.concat([Buffer.from("MThd\0\0\0\x06\0\0\0\x01\0\x60", "latin1"), PADDING]),
  mp4: Buffer.concat([Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "latin1"), PADDING]),
  m4a: Buffer.concat([Buffer.from("\0\0\0\x18ftypM4A \0\0\0\0M4A mp42", "latin1"), PADDING]),
  mov: Buffer.concat([Buffer.from("\0\0\0\x14ftypqt  \0\0\0\0qt  ", "latin1"), PADDING]),
  heic: Buffer.concat([Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), PADDING]),
  mp3: Buffer.concat([
    Buffer.from("ID3\x03\0\0\0\0\0\x40", "latin1"),
    PADDING,
    Buffer.from([0xff, 0xfb, 0x90, 0]),
    PADDING,
  ]),
  // Contains a tag (a cover image) that is longer than the inspected part of a file.
  taggedMp3: Buffer.concat([
    Buffer.from("ID3\x03\0\0\0\x02\0\0", "latin1"),
    Buffer.alloc(32_768),
    Buffer.from([0xff, 0xfb, 0x90, 0]),
  ]),
  bmp: Buffer.concat([Buffer.from("BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", "latin1"), PADDING]),
  ico: Buffer.concat([Buffer.from("\0\0\x01\0\x01\0\x10\x10", "latin1"), PADDING]),
  doc: Buffer.concat([Buffer.from("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "latin1"), PADDING]),
  gzip: gzipSync("hello"),
  zip: sampleZip(["a.txt"]),
  docx: sampleZip(["[Content_Types].xml", "_rels/.rels", "word/document.xml"]),
  xlsx: sampleZip(["[Content_Types].xml", "xl/workbook.xml"]),
  pptx: sampleZip(["[Content_Types].xml", "ppt/presentation.xml"]),
  epub: sampleZip(["mimetype", "META-INF/container.xml"]),
  pages: sampleZip(["Index/Document.iwa", "Metadata/Properties.plist"]),
  pkpass: sampleZip(["manifest.json", "pass.json", "signature"]),
} as const;

/** A silent WAV file with 8000 bytes per second. */
export function sampleWav(milliseconds: number): Buffer {
  const sound = Buffer.alloc(milliseconds * 8);
  const head = Buffer.alloc(44);
  head.write("RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0", "latin1");
  head.writeUInt32LE(36 + sound.length, 4);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(sound.length, 40);
  return Buffer.concat([head, sound]);
}

/** An archive of stored, empty files. `claimedBytes`: the size that each file claims. */
export function sampleZip(names: readonly string[], claimedBytes = 0): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const name of names) {
    const bytes = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt32LE(claimedBytes, 22);
    local.writeUInt16LE(bytes.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt32LE(claimedBytes, 24);
    entry.writeUInt16LE(bytes.length, 28);
    entry.writeUInt32LE(at, 42);
    locals.push(local, bytes);
    entries.push(entry, bytes);
    at += local.length + bytes.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}
