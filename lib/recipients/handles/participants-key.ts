import "server-only";
import { createHash } from "node:crypto";

/** The key of a line's chat with exactly these recipients, in any order. */
export function participantsKey(recipients: readonly string[]): string {
  const sorted = [...recipients].sort().join(",");
  return recipients.length === 1
    ? sorted
    : `group:${createHash("sha256").update(sorted).digest("base64url")}`;
}
