/** Minutes that an identity confirmation (a sign-in, or entering the password again) stays valid. */
export const PROOF_MINUTES = 10;

/** Response header of a request that was rejected because it requires a fresh identity confirmation. */
export const PROOF_HEADER = "x-proof-required";
