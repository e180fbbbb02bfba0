import "server-only";
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { env } from "@/lib/platform/env";

const FORMAT = 1;
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

/** Compares two secrets without telling by the time taken where they differ. */
function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

/**
 * Seals a secret for the database: AES-256-GCM under the first key of ENCRYPTION_KEY, the key's id in front so that
 * keys can rotate. `purpose` is bound in: a secret sealed for one use does not open as another.
 */
export function seal(plain: string, purpose: string): Buffer {
  const { id, key } = firstKey();
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  const idBytes = Buffer.from(id);
  return Buffer.concat([Buffer.from([FORMAT, idBytes.length]), idBytes, iv, cipher.getAuthTag(), body]);
}

/** Opens what `seal` made for the same purpose. Throws when the key is gone or the bytes were changed. */
export function unseal(sealed: Uint8Array, purpose: string): string {
  const bytes = Buffer.from(sealed);
  if (bytes[0] !== FORMAT) throw new Error("not a sealed secret");
  const ivAt = 2 + (bytes[1] ?? 0);
  const keyId = bytes.toString("utf8", 2, ivAt);
  const found = keys().find((candidate) => candidate.id === keyId);
  if (found === undefined) throw new Error(`ENCRYPTION_KEY no longer has the key "${keyId}"`);
  const tagAt = ivAt + IV_BYTES;
  const bodyAt = tagAt + TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", found.key, bytes.subarray(ivAt, tagAt))
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(tagAt, bodyAt));
  return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]).toString("utf8");
}

/** A secret for one purpose, derived from the first key of ENCRYPTION_KEY: it changes when that key rotates. */
export function deriveSecret(purpose: string): string {
  return createHmac("sha256", firstKey().key).update(purpose).digest("base64url");
}

/** Signs a text that comes back from outside, such as an address, for one purpose. */
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

let parsed: SealingKey[] | undefined;

function keys(): SealingKey[] {
  parsed ??= env().ENCRYPTION_KEY.split(",").map(parseKey);
  return parsed;
}

function parseKey(entry: string): SealingKey {
  const colon = entry.indexOf(":");
  const id = colon === -1 ? "1" : entry.slice(0, colon).trim();
  const key = Buffer.from(entry.slice(colon + 1).trim(), "base64");
  if (key.length !== 32) throw new Error(`ENCRYPTION_KEY "${id}" must be 32 bytes in base64`);
  return { id, key };
}
