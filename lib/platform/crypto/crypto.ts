import "server-only";
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { env, memoizePerEnv } from "@/lib/platform/env";

const FORMAT = 2;
/** The format of earlier versions authenticates only the purpose. */
const PURPOSE_ONLY_FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface SealingKey {
  id: string;
  key: Buffer;
}

/** SHA-256 of a text, as bytes. */
export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** Compares two secrets in constant time. */
function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

/** The purpose of a sealed secret. A secret opens only for the purpose it was sealed for. */
export interface SealContext {
  purpose: string;
  /** The row that stores the secret. Absent for secrets outside the database, such as tokens. */
  row?: { accountId: string; id: string };
}

/** No key of ENCRYPTION_KEY opens the secret: the key is wrong or missing, or the bytes were changed or moved. */
export class UnreadableSecret extends Error {}

/**
 * Seals a secret with AES-256-GCM under the first key of ENCRYPTION_KEY, prefixed with the key's id so that keys can
 * rotate. Purpose, account and row are authenticated, so a secret that was copied to another row does not open.
 */
export function seal(plain: string, context: SealContext): Buffer {
  return sealUnder(firstKey(), plain, associatedData(context));
}

function sealUnder({ id, key }: SealingKey, plain: string, associated: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(associated);
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  const idBytes = Buffer.from(id);
  return Buffer.concat([Buffer.from([FORMAT, idBytes.length]), idBytes, iv, cipher.getAuthTag(), body]);
}

/**
 * Opens a secret that `seal` made for the same context. Secrets of format 1, which were bound only to their purpose,
 * still open. Throws UnreadableSecret.
 */
export function unseal(sealed: Uint8Array, context: SealContext): string {
  return unsealWith(keys(), sealed, context);
}

/** Throws an Error that says what is wrong with a value of ENCRYPTION_KEY. */
export function requireKeys(setting: string): void {
  parseKeys(setting);
}

/** Whether a value of ENCRYPTION_KEY, which need not be this process's, opens a secret. Throws for an invalid value. */
export function opensWith(setting: string, sealed: Uint8Array, context: SealContext): boolean {
  try {
    unsealWith(parseKeys(setting), sealed, context);
    return true;
  } catch (error) {
    if (error instanceof UnreadableSecret) return false;
    throw error;
  }
}

function unsealWith(candidates: readonly SealingKey[], sealed: Uint8Array, context: SealContext): string {
  const { format, keyId, rest } = parseSealed(sealed);
  const found = candidates.find((candidate) => candidate.id === keyId);
  if (found === undefined) throw new UnreadableSecret(`ENCRYPTION_KEY has no key "${keyId}"`);
  const tagAt = IV_BYTES;
  const bodyAt = tagAt + TAG_BYTES;
  const associated = format === FORMAT ? associatedData(context) : Buffer.from(context.purpose);
  try {
    const decipher = createDecipheriv("aes-256-gcm", found.key, rest.subarray(0, tagAt))
      .setAAD(associated)
      .setAuthTag(rest.subarray(tagAt, bodyAt));
    return Buffer.concat([decipher.update(rest.subarray(bodyAt)), decipher.final()]).toString("utf8");
  } catch {
    throw new UnreadableSecret(`the key "${keyId}" of ENCRYPTION_KEY can't decrypt this secret`);
  }
}

/** Reseals a secret under the first key, bound to its row. Returns null when it already is. Throws UnreadableSecret. */
export function resealed(sealed: Uint8Array, context: SealContext): Buffer | null {
  const { format, keyId } = parseSealed(sealed);
  if (format === FORMAT && keyId === firstKey().id) return null;
  return seal(unseal(sealed, context), context);
}

/** The ids of the keys in ENCRYPTION_KEY, starting with the key that seals. */
export function sealingKeyIds(): string[] {
  return keys().map(({ id }) => id);
}

/** Seals under a chosen key of ENCRYPTION_KEY instead of the first. Throws when there is no such key. */
export function sealWithKey(keyId: string, plain: string, context: SealContext): Buffer {
  const found = keys().find(({ id }) => id === keyId);
  if (found === undefined) throw new Error(`ENCRYPTION_KEY has no key "${keyId}"`);
  return sealUnder(found, plain, associatedData(context));
}

function parseSealed(sealed: Uint8Array): { format: number; keyId: string; rest: Buffer } {
  const bytes = Buffer.from(sealed);
  const format = bytes[0];
  if (format !== FORMAT && format !== PURPOSE_ONLY_FORMAT) throw new UnreadableSecret("not a sealed secret");
  const restAt = 2 + (bytes[1] ?? 0);
  return { format, keyId: bytes.toString("utf8", 2, restAt), rest: bytes.subarray(restAt) };
}

function associatedData({ purpose, row }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([purpose, row?.accountId ?? null, row?.id ?? null]));
}

/** A secret for one purpose, derived from the first key of ENCRYPTION_KEY. It changes when that key is rotated. */
export function deriveSecret(purpose: string): string {
  return createHmac("sha256", firstKey().key).update(purpose).digest("base64url");
}

/** Signs a text that clients send back, such as a URL, for one purpose. */
export function signText(purpose: string, text: string): string {
  return signatureUnder(firstKey(), purpose, text);
}

/** Whether `signText` made the signature, under any key of ENCRYPTION_KEY. */
export function isSignedText(purpose: string, text: string, signature: string): boolean {
  return keys().some((key) => sameSecret(signatureUnder(key, purpose, text), signature));
}

function signatureUnder({ key }: SealingKey, purpose: string, text: string): string {
  const secret = createHmac("sha256", key).update(purpose).digest();
  return createHmac("sha256", secret).update(text).digest("base64url");
}

function firstKey(): SealingKey {
  const [first] = keys();
  if (first === undefined) throw new Error("ENCRYPTION_KEY is empty");
  return first;
}

const keys = memoizePerEnv(() => parseKeys(env().ENCRYPTION_KEY));

function parseKeys(setting: string): SealingKey[] {
  return setting.split(",").map(parseKey);
}

function parseKey(entry: string): SealingKey {
  const colon = entry.indexOf(":");
  const id = colon === -1 ? "1" : entry.slice(0, colon).trim();
  const key = Buffer.from(entry.slice(colon + 1).trim(), "base64");
  if (key.length !== 32) throw new Error(`ENCRYPTION_KEY "${id}" must be 32 bytes in base64`);
  return { id, key };
}
