import "server-only";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { sha256 } from "@/lib/platform/crypto/crypto";
import type { RowOf } from "@/lib/platform/database/statement";
import { secretBytes } from "@/lib/platform/ids";
import { TOKEN_SCOPES } from "@/lib/platform/rights/token-scope";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORMAT = new RegExp(`^tl_(sandbox|production)_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A newly created token. `token` is shown once; only the other fields are stored. */
export interface NewToken {
  token: string;
  hash: Buffer;
  prefix: string;
  lastFour: string;
}

/**
 * Creates a token `tl_<env>_<32 random characters><6 of checksum>`: about 190 bits of entropy, detectable by secret
 * scanners.
 */
export function generateToken(accountType: "sandbox" | "production"): NewToken {
  const random = randomText(RANDOM_LENGTH);
  const head = `tl_${accountType}_`;
  const token = `${head}${random}${checksum(head + random)}`;
  return { token, hash: sha256(token), prefix: `${head}${random.slice(0, 4)}`, lastFour: token.slice(-4) };
}

/** Whether a text has a token's format and checksum. Mistyped tokens never reach the database. */
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
  /** The client's IP address at that time. */
  last_used_from: z.string().nullable(),
  revoked_at: z.iso.datetime().nullable(),
  /** null = never. */
  expires_at: z.iso.datetime().nullable(),
  is_expired: z.boolean(),
  /** Empty = everything. */
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  /** CIDRs; empty = anywhere. */
  allowed_addresses: z.array(z.string()),
});

export type ApiToken = z.infer<typeof ApiToken>;

/** A row of `api_tokens t left join users u on u.id = t.created_by`, as selected by TOKEN_COLUMNS. */
export type TokenRow = RowOf<"list-tokens">;

export const TOKEN_COLUMNS = `t.id, t.name, t.prefix, t.last_four, t.created_at, u.name as created_by, t.last_used_at,
  t.last_used_from, t.revoked_at, t.expires_at, t.scopes, t.allowed_addresses`;

/** Serializes an API token. No other code does. `at` is the time that expiry is compared with. */
export function toApiToken(row: TokenRow, at: Date): ApiToken {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    is_expired: row.expires_at !== null && row.expires_at <= at,
  };
}

/** A token in event data. */
export function apiTokenRef(row: Pick<TokenRow, "id" | "prefix" | "name" | "expires_at">) {
  const { id, prefix, name, expires_at } = row;
  return { id, token_prefix: prefix, name, expires_at: expires_at?.toISOString() ?? null };
}

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
