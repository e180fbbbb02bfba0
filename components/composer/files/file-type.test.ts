import { expect, test } from "vitest";
import { contentTypeOf, findFileError, findVoiceMemoError } from "@/components/composer/files/file-type";
import { isSupported } from "@/lib/attachments/file-types/content-types";

const MIB = 1024 * 1024;

test.each([
  ["a.png", "image/png", "image/png"],
  ["memo.wav", "audio/wav", "audio/x-wav"],
  ["notes.md", "", "text/markdown"],
  ["PHOTO.HEIC", "", "image/heic"],
  ["a.zip", "application/x-zip-compressed", "application/zip"],
  ["plain", "text/plain;charset=utf-8", "text/plain"],
  ["song.flac", "audio/flac", null],
  ["setup.exe", "application/x-msdownload", null],
  ["nothing", "", null],
])("%s with type %j is sent as %s", (name, type, contentType) => {
  expect(contentTypeOf({ name, type })).toBe(contentType);
  if (contentType !== null) expect(isSupported(contentType)).toBe(true);
});

test("a file that the API would reject is rejected before the upload", () => {
  const image = { name: "a.png", type: "image/png" };
  expect(findFileError({ ...image, size: 100 * MIB })).toBeNull();
  expect(findFileError({ ...image, size: 100 * MIB + 1 })).toContain("limit of 100 MB");
  expect(findFileError({ ...image, size: 0 })).toContain("empty");
  expect(findFileError({ name: "a.ogg", type: "audio/ogg", size: 1 })).toContain("not supported");
});

test("a voice memo is an audio file of a supported type, up to 10 MB", () => {
  const sound = { name: "a.m4a", type: "audio/mp4" };
  expect(findVoiceMemoError({ ...sound, size: 10 * MIB })).toBeNull();
  expect(findVoiceMemoError({ ...sound, size: 10 * MIB + 1 })).toContain("limit of 10 MB");
  expect(findVoiceMemoError({ name: "a.png", type: "image/png", size: 1 })).toContain("MP3");
  expect(findVoiceMemoError({ name: "a.mid", type: "audio/midi", size: 1 })).toContain("MP3");
});
