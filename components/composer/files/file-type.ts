import { CONTENT_TYPES, type TypeRule } from "@/lib/attachments/file-types/content-type-table";
import {
  MAX_UPLOAD_BYTES,
  MAX_VOICE_MEMO_BYTES,
  VOICE_MEMO_TYPES,
} from "@/lib/attachments/file-types/file-limits";

const RULES: [string, TypeRule][] = Object.entries(CONTENT_TYPES);

/** Other names that browsers use for some types. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "audio/wav": "audio/x-wav",
  "audio/wave": "audio/x-wav",
  "audio/m4a": "audio/x-m4a",
  "audio/mid": "audio/midi",
  "image/vnd.microsoft.icon": "image/x-icon",
  "application/gzip": "application/x-gzip",
  "application/x-zip-compressed": "application/zip",
  "application/xml": "text/xml",
  "application/rtf": "text/rtf",
  "video/avi": "video/x-msvideo",
  "text/x-vcard": "text/vcard",
};
const OTHER_EXTENSIONS: Readonly<Record<string, string>> = {
  webp: "image/webp",
  svg: "image/svg+xml",
  ico: "image/x-icon",
  md: "text/markdown",
  mid: "audio/midi",
  avi: "video/x-msvideo",
  xml: "text/xml",
  json: "application/json",
  gz: "application/x-gzip",
  pkpass: "application/vnd.apple.pkpass",
};

const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OTHER_EXTENSIONS),
  ...RULES.flatMap(([name, { extensions }]) => (extensions ?? []).map((ending) => [ending, name] as const)),
]);
const NAMES = new Set(RULES.map(([name]) => name));

/** The extensions that a file picker offers. */
export const ACCEPTED_FILES = [...BY_EXTENSION.keys()].map((extension) => `.${extension}`).join(",");
export const ACCEPTED_SOUNDS = [...BY_EXTENSION]
  .filter(([, name]) => isMemoType(name))
  .map(([extension]) => `.${extension}`)
  .join(",");

interface Named {
  name: string;
  type: string;
}

/**
 * The content type that a file is sent as: the browser's if it is supported, otherwise by extension. null if not
 * supported.
 */
export function contentTypeOf({ name, type }: Named): string | null {
  const said = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (NAMES.has(said)) return said;
  const known = OTHER_NAMES[said] ?? BY_EXTENSION.get(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "");
  return known ?? null;
}

/** Why the API would reject a file, found before it is uploaded; null if it is accepted. */
export function findFileError(file: Named & { size: number }): string | null {
  if (contentTypeOf(file) === null) {
    return "This file type is not supported. Send an image, video, audio, PDF, Office or text file.";
  }
  return wrongSize(file.size, MAX_UPLOAD_BYTES);
}

/** Like `findFileError`, for a voice memo. */
export function findVoiceMemoError(file: Named & { size: number }): string | null {
  if (!isMemoType(contentTypeOf(file) ?? "")) {
    return "Voice memos must be MP3, M4A, AAC, CAF, WAV, AIFF or AMR files.";
  }
  return wrongSize(file.size, MAX_VOICE_MEMO_BYTES);
}

function wrongSize(size: number, most: number): string | null {
  if (size === 0) return "The file is empty.";
  return size > most ? `The file exceeds the limit of ${most / 1024 / 1024} MB.` : null;
}

function isMemoType(name: string): boolean {
  const rule = RULES.find(([own]) => own === name)?.[1];
  return VOICE_MEMO_TYPES.some((type) => type === (rule?.renamed ?? name));
}
