import "server-only";

/** A webhook that the vendor did not sign, or not lately. */
export class SignatureRefused extends Error {}
