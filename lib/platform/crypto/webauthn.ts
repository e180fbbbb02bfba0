import "server-only";
import type * as Webauthn from "@simplewebauthn/server";

// Loaded when a passkey is first used: few processes use one, and loading it takes a part of each start.
const load = () => import("@simplewebauthn/server");

/** The result of `verifyRegistrationResponse`. */
export type VerifiedRegistrationResponse = Webauthn.VerifiedRegistrationResponse;

/** Returns the options with which a browser creates a passkey. */
export async function generateRegistrationOptions(
  ...options: Parameters<typeof Webauthn.generateRegistrationOptions>
) {
  return (await load()).generateRegistrationOptions(...options);
}

/** Returns the options with which a browser signs with a passkey. */
export async function generateAuthenticationOptions(
  ...options: Parameters<typeof Webauthn.generateAuthenticationOptions>
) {
  return (await load()).generateAuthenticationOptions(...options);
}

/** Checks a new passkey. Throws an Error for an invalid one. */
export async function verifyRegistrationResponse(
  ...options: Parameters<typeof Webauthn.verifyRegistrationResponse>
) {
  return (await load()).verifyRegistrationResponse(...options);
}

/** Checks a signature with a passkey. Throws an Error for an invalid one. */
export async function verifyAuthenticationResponse(
  ...options: Parameters<typeof Webauthn.verifyAuthenticationResponse>
) {
  return (await load()).verifyAuthenticationResponse(...options);
}
