import "server-only";
import { z } from "zod";
import type { RowOf } from "@/lib/platform/database/statement";
import { maxUnits } from "@/lib/platform/text/max-units";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";

const MAX_HANDLE = 254;
const E164 = /^\+[1-9]\d{1,14}$/;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}\.[^\s@.]{1,63}$/;
const SHORT_CODE = /^\d{3,8}$/;
/** Carriers and vendors report names of any script and length. A mistyped number or address is none. */
const SENDER_NAME = /^(?=.*\p{L})(?!\+)[^@/\p{Cc}]+$/u;

/**
 * A handle that can be blocked, in the format of inbound senders (docs/contract.md, section 9.2): a phone number
 * without spaces and punctuation, a lower-case email address, a short code, or the name of a sender, unchanged.
 */
export const BlockableHandle = z
  .string()
  .check(maxUnits(MAX_HANDLE))
  .transform(normalizeHandle)
  .refine(
    (handle) => [E164, EMAIL, SHORT_CODE, SENDER_NAME].some((form) => form.test(handle)),
    "must be a phone number in E.164 format, an email address, a short code of 3 to 8 digits or the name of a sender, with a letter",
  );

export const BlockedHandle = z
  .object({
    handle: z
      .string()
      .describe("Normalized form of the blocked handle. Email addresses are converted to lowercase."),
    blocked_at: z.iso.datetime().describe("When the handle was blocked."),
    reason: z.string().nullable().describe("Your note on the block; `null` if none was set."),
  })
  .meta({
    id: "BlockedHandle",
    description:
      "A blocked handle. Messages from it are dropped, and your account can't send direct messages to it.",
    examples: [{ handle: "+12025550123", blocked_at: "2026-03-01T12:00:00.000Z", reason: "Repeated abuse" }],
  });

export type BlockedRow = RowOf<"block-handle">;

export const BLOCKED_COLUMNS = `handle, blocked_at as "blocked_at!", blocked_reason`;

/** The only serializer of blocked handles. */
export function toBlockedHandle(row: BlockedRow): z.infer<typeof BlockedHandle> {
  return { handle: row.handle, blocked_at: row.blocked_at.toISOString(), reason: row.blocked_reason };
}
