import "server-only";
import { objectStore } from "@/lib/adapters/storage/registry";
import { objectKey } from "@/lib/attachments/attachment";
import { currentName } from "@/lib/attachments/file-types/content-types";
import type { VOICE_MEMO_TYPES } from "@/lib/attachments/file-types/file-limits";
import {
  aiffSeconds,
  cafSeconds,
  mp4Seconds,
  wavSeconds,
} from "@/lib/attachments/measurements/chunked-audio";
import { aacSeconds, amrSeconds, mp3Seconds } from "@/lib/attachments/measurements/framed-audio";
import { createRangeReader } from "@/lib/attachments/store/settle-upload";

const DAY_SECONDS = 86_400;

/** Reads the duration in each format. */
const SECONDS: Readonly<Record<string, (file: Buffer) => number | null>> = {
  "audio/mpeg": mp3Seconds,
  "audio/x-m4a": mp4Seconds,
  "audio/aac": aacSeconds,
  "audio/x-caf": cafSeconds,
  "audio/x-wav": wavSeconds,
  "audio/x-aiff": aiffSeconds,
  "audio/amr": amrSeconds,
} satisfies Record<(typeof VOICE_MEMO_TYPES)[number], unknown>;

/** Whether a voice memo can have this type (docs/contract.md, section 7.6). */
export function isVoiceMemoType(contentType: string): boolean {
  return currentName(contentType) in SECONDS;
}

/**
 * Returns the duration of an audio file in milliseconds as its header states it, or null when the value is missing or
 * implausible.
 */
export function audioDuration(file: Buffer, contentType: string): number | null {
  try {
    const seconds = SECONDS[currentName(contentType)]?.(file) ?? null;
    const isSensible = seconds !== null && seconds > 0 && seconds <= DAY_SECONDS;
    return isSensible ? Math.round(seconds * 1000) : null;
  } catch (error) {
    // The file is truncated.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** As `audioDuration`, for a stored file of the account. Reads the whole file into memory. */
export async function storedDuration(
  accountId: string,
  { id, contentType, sizeBytes }: { id: string; contentType: string; sizeBytes: number },
): Promise<number | null> {
  const stored = createRangeReader(objectStore(), objectKey({ accountId, attachmentId: id }), sizeBytes);
  return audioDuration(Buffer.from(await stored.read(0, sizeBytes)), contentType);
}
