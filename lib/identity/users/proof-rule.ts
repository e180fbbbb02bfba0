/** How long a proof of identity (a sign-in, the password entered again) stays fresh. */
export const PROOF_MINUTES = 10;

/** Set on the answer to a request that was refused for want of a fresh proof. */
export const PROOF_HEADER = "x-proof-required";
