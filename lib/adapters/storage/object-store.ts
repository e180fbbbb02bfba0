import "server-only";

/** Bytes as a stream, never completely in memory. */
export type ByteStream = AsyncIterable<Uint8Array>;

/** A request that uploads an object directly to the store. */
export interface SignedPut {
  url: string;
  method: "PUT";
  /** The signature covers exactly these headers. Other values, or another length, are rejected. */
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
  sizeBytes: number;
  storedAt: Date;
}

/** A signed upload that Trunkline receives itself. */
export interface IncomingPut {
  key: string;
  query: URLSearchParams;
  headers: Headers;
}

/** A store without conditional writes. */
export const REPLACEABLE_FILES =
  "the bucket ignores If-None-Match, so an upload URL of the bucket could replace a file that was already checked: uploads go through Trunkline instead. Use a bucket with conditional writes to let clients upload to it directly";

/** The body does not have the expected number of bytes. */
export class SizeMismatch extends Error {
  constructor(readonly reason: "too_large" | "too_small") {
    super(reason === "too_large" ? "more bytes than declared" : "fewer bytes than declared");
  }
}

/** An object with this key exists. Stored objects never change. */
export class ObjectExists extends Error {
  constructor() {
    super("an object with this key exists");
  }
}

const KEY = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/;

/** Returns a valid key: no part of it leads out of a store. Throws for any other key. */
export function requireKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`"${key}" is not a valid object key`);
  return key;
}

/** The signature of the request is invalid or has expired. */
export class SignatureRefused extends Error {}

/**
 * Stores files: written once under a key (`a/b`, letters, digits and dashes), read whole or in part, deleted. Every
 * store passes `conformance.ts`. Reads are never signed, because all URLs are on the CDN host, which Trunkline serves
 * (docs/contract.md, section 10.3).
 */
export interface ObjectStore {
  readonly name: string;
  /** Only for stores whose uploads may go directly to them: the origin of their upload URLs. */
  readonly uploadOrigin?: string;
  /** Signs a request that may upload exactly this many bytes of this type, for a limited time. */
  signPut(
    key: string,
    put: { contentType: string; sizeBytes: number; ttlSeconds: number },
  ): Promise<SignedPut>;
  /** Returns the signed type and size of an upload that goes to Trunkline. Throws SignatureRefused. */
  verifyPut(put: IncomingPut): { contentType: string; sizeBytes: number };
  /**
   * Stores a stream and resolves with its size when it is durable. Releases the chunks that are owned. Throws
   * SizeMismatch and ObjectExists, and then stores nothing.
   */
  put(key: string, body: ByteStream, limits: PutLimits): Promise<number>;
  /** Returns the bytes, or those of a range within them. null when there is no such object. */
  get(key: string, range?: ByteRange): Promise<{ body: ByteStream; sizeBytes: number } | null>;
  head(key: string): Promise<{ sizeBytes: number } | null>;
  /** Idempotent. */
  delete(key: string): Promise<void>;
  /**
   * Only for stores outside this machine: asks whether the store works, in a short time. Returns null, or a sentence that
   * names the setting to correct.
   */
  probe?(): Promise<string | null>;
  /** Only for stores whose uploads go directly to them: whether an uploaded object can't be replaced. */
  refusesReplacement?(): Promise<boolean>;
  /** Lists all objects in pages of bounded size, in no particular order. */
  list(): AsyncIterable<StoredObject[]>;
}
