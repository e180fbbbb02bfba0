import "server-only";

/** The webhook's signature is invalid or too old. */
export class SignatureRefused extends Error {}
