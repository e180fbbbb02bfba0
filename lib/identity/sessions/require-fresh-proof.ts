import "server-only";
import { PROOF_HEADER, PROOF_MINUTES } from "@/lib/identity/sessions/proof-rule";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors/errors";

/**
 * Requires that the user confirmed their identity within the last PROOF_MINUTES by signing in, or by using the password
 * or a passkey again. Used by actions that create credentials, show secrets, or change payment settings or roles. API
 * tokens and the system always pass. On this error, the dashboard asks for the proof and repeats the request. Errors:
 * proof_required.
 */
export function requireFreshProof({ actor }: Context): void {
  if (actor.type !== "user" || actor.hasFreshProof === true) return;
  const detail = `this action requires that you confirmed your identity in the last ${PROOF_MINUTES} minutes`;
  throw new ApiError("proof_required", detail, undefined, { [PROOF_HEADER]: "required" });
}

/**
 * Rejects the request until the user confirms it with a passkey, which the dashboard then asks for. Errors:
 * proof_required.
 */
export function failWithoutPasskey(): never {
  const detail = "this action requires that you confirm your identity with a passkey";
  throw new ApiError("proof_required", detail, undefined, { [PROOF_HEADER]: "passkey" });
}
