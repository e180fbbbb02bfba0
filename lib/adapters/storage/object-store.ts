import "server-only";

/** Bytes on their way in or out, never whole in memory. */
export type ByteStream = AsyncIterable<Uint8Array>;

/** A request that puts an object straight into the store. */
export interface SignedPut {
  url: string;
  method: "PUT";
  /** Exactly these are signed: another value, or another length, is refused. */
  headers: Record<string, string>;
  expiresAt: Date;
}

export interface PutLimits {
  /** Fewer bytes are rejected at the end, and more than `mostBytes` immediately, while they arrive. */
  leastBytes: number;
  mostBytes: number;
  contentType: string;
}

/** Both ends are inclusive, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

/** An object in a list. */
export interface StoredObject {
  key: string;
  storedAt: Date;
}

/** A signed upload as it comes to this service. */
export interface IncomingPut {
  key: string;
  query: URLSearchParams;
  headers: Headers;
}

/** The bytes were not as many as they were to be. */
export class WrongSize extends Error {
  constructor(readonly reason: "too_large" | "too_small") {
    super(reason === "too_large" ? "more bytes than declared" : "fewer bytes than declared");
  }
}

/** There is an object under this key: what is stored never changes. */
export class ObjectExists extends Error {
  constructor() {
    super("an object with this key exists");
  }
}

const KEY = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/;

/** The key, if it is one: nothing in it leads out of a store. Throws otherwise. */
export function requireKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`"${key}" is not a valid object key`);
  return key;
}

/** A signed request whose signature does not fit, or whose time is over. */
export class SignatureRefused extends Error {}

/**
 * Stores files: written once under a key (`a/b`, letters, digits and dashes), read whole or in part, deleted. Every
 * store passes `conformance.ts`. Reads are never signed, because all URLs are on the CDN host, which Trunkline serves
 * (partner-api.md, Attachment resources).
 */
export interface ObjectStore {
  readonly name: string;
  /** A request that may put exactly this many bytes of this type, for a while. */
  signPut(
    key: string,
    put: { contentType: string; sizeBytes: number; ttlSeconds: number },
  ): Promise<SignedPut>;
  /**
   * Only of stores whose signed uploads come to this service: the size that was signed. Throws SignatureRefused.
   */
  verifyPut?(put: IncomingPut): { contentType: string; sizeBytes: number };
  /**
   * Stores a stream and resolves with its size when it is durable. Throws WrongSize and ObjectExists, and then stores
   * nothing.
   */
  put(key: string, body: ByteStream, limits: PutLimits): Promise<number>;
  /** The bytes, or those of a range within them; null when there is no such object. */
  get(key: string, range?: ByteRange): Promise<{ body: ByteStream; sizeBytes: number } | null>;
  head(key: string): Promise<{ sizeBytes: number } | null>;
  /** Idempotent. */
  delete(key: string): Promise<void>;
  /** Everything that is stored, a bounded page at a time, in no certain order. */
  list(): AsyncIterable<StoredObject[]>;
}
