import "server-only";
import { createHash } from "node:crypto";

/** The key by which a line's chat with just these recipients is found again, whatever their order. */
export function participantsKey(recipients: readonly string[]): string {
  const sorted = [...recipients].sort().join(",");
  return recipients.length === 1
    ? sorted
    : `group:${createHash("sha256").update(sorted).digest("base64url")}`;
}
