/** Minutes that an identity confirmation (a sign-in, or using the password or a passkey again) stays valid. */
export const PROOF_MINUTES = 10;

/**
 * Response header of a request that was rejected because it requires a fresh identity confirmation. `required` accepts
 * any method, `passkey` only a passkey.
 */
export const PROOF_HEADER = "x-proof-required";
