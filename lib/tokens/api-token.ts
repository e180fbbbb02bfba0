import "server-only";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { sha256 } from "@/lib/platform/crypto";
import { secretBytes } from "@/lib/platform/ids";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORMAT = new RegExp(`^tl_(sandbox|production)_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A freshly made token. `token` is shown once; only the rest is kept. */
export interface NewToken {
  token: string;
  hash: Buffer;
  prefix: string;
  lastFour: string;
}

/** Makes a token `tl_<env>_<32 random characters><6 of checksum>`: about 190 bits, recognisable by secret scanners. */
export function generateToken(accountType: "sandbox" | "production"): NewToken {
  const random = randomText(RANDOM_LENGTH);
  const head = `tl_${accountType}_`;
  const token = `${head}${random}${checksum(head + random)}`;
  return { token, hash: sha256(token), prefix: `${head}${random.slice(0, 4)}`, lastFour: token.slice(-4) };
}

/** Whether a text can be a token at all: format and checksum. A typing error never reaches the database. */
export function isWellFormedToken(text: string): boolean {
  return FORMAT.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** A token as the dashboard lists it. */
export const ApiToken = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string(),
  last_four: z.string(),
  created_at: z.iso.datetime(),
  created_by: z.string().nullable(),
  last_used_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
});

export type ApiToken = z.infer<typeof ApiToken>;

function checksum(text: string): string {
  return base62(crc32(text)).padStart(CHECKSUM_LENGTH, "0");
}

function base62(value: number): string {
  let rest = value;
  let text = "";
  do {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  } while (rest > 0);
  return text;
}

// Bytes of 248 and above are dropped: 248 is the last multiple of 62, so every character is equally likely.
function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of secretBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}
