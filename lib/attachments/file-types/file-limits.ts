const MIB = 1024 * 1024;

/** Maximum size of an uploaded file (docs/contract.md, section 10.1). */
export const MAX_UPLOAD_BYTES = 100 * MIB;

/** Maximum size of a voice memo. */
export const MAX_VOICE_MEMO_BYTES = 10 * MIB;

/** Maximum number of pixels of an image that is decoded. A small file can contain an image that exhausts memory. */
export const MAX_PIXELS = 100_000_000;

/** The types a voice memo can have, by their current names (docs/contract.md, section 7.6). */
export const VOICE_MEMO_TYPES = [
  "audio/mpeg",
  "audio/x-m4a",
  "audio/aac",
  "audio/x-caf",
  "audio/x-wav",
  "audio/x-aiff",
  "audio/amr",
] as const;
