/** Minutes that an identity confirmation (a sign-in, or entering the password again) stays valid. */
export const PROOF_MINUTES = 10;

/** Set on the answer to a request that was refused for want of a fresh proof. */
export const PROOF_HEADER = "x-proof-required";
