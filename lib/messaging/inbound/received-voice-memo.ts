import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { MAX_VOICE_MEMO_BYTES } from "@/lib/attachments/file-types/file-limits";
import { isVoiceMemoType, storedDuration } from "@/lib/attachments/measurements/audio-duration";
import type { StoredPart } from "@/lib/messaging/content/message-part";
import type { ReceivedFilePart } from "@/lib/messaging/inbound/receive-files";

/** The details of an inbound voice memo. */
export interface ReceivedMemo {
  durationMs: number | null;
}

/**
 * Returns the details of an inbound voice memo, which is a message with one audio file and nothing else, or null for
 * any other message.
 */
export async function findReceivedMemo(
  line: LineRef,
  taken: readonly ReceivedFilePart[],
): Promise<ReceivedMemo | null> {
  const [only, ...more] = taken;
  if (only?.part.type !== "media" || only.part.voiceMemo !== true || more.length > 0) return null;
  const { file, late } = only;
  if (late !== null && isVoiceMemoType(late.contentType)) return { durationMs: null };
  if (file === null || !isVoiceMemoType(file.contentType)) return null;
  const isShort = file.sizeBytes <= MAX_VOICE_MEMO_BYTES;
  return { durationMs: isShort ? await storedDuration(line.accountId, file) : null };
}

/** The parts of a voice memo for storage. */
export function withDuration(parts: readonly StoredPart[], { durationMs }: ReceivedMemo): StoredPart[] {
  return parts.map((part) => (part.type === "media" ? { ...part, duration_ms: durationMs } : part));
}
