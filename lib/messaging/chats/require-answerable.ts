import "server-only";
import { fail } from "@/lib/platform/errors/errors";
import { isReachable } from "@/lib/platform/text/phone-handle";

/**
 * Requires that the person of a direct chat can be answered; null for a group. Errors: phone_not_e164 (a short code or a
 * sender's name).
 */
export function requireAnswerable(handle: string | null): void {
  if (handle !== null && !isReachable(handle))
    fail("phone_not_e164", "this chat is with a short code or a sender's name, which can't be answered");
}
