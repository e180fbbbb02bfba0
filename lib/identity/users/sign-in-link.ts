import "server-only";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { prisma, type Sql } from "@/lib/platform/database/db";
import { secretBytes } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The user of a one-time link. */
interface LinkedUser {
  id: string;
  name: string;
  email: string;
  /** Whether the user has never signed in. */
  isNew: boolean;
}

/** The user of a link that was used up. */
interface ConsumedLink {
  userId: string;
  /** Whether the link proves the user's email address. */
  isProof: boolean;
}

/** The secret of a one-time link to `/welcome/<token>`. It is shown once; only its hash is stored. */
export interface NewSignInLink {
  token: string;
  expiresAt: Date;
}

/** Minutes for which a link that a person requested by email is valid. */
export const RESET_MINUTES = 30;

/**
 * Creates the link with which a user sets the first password: one use, valid for 24 hours. Earlier links of the user
 * become invalid. `isProof` says whether using the link proves the email address.
 */
export async function createSignInLink(
  tx: Sql,
  userId: string,
  { isProof }: { isProof: boolean },
): Promise<NewSignInLink> {
  const token = secretBytes(32).toString("base64url");
  const expiresAt = new Date(now().getTime() + LIFETIME_MS);
  await tx.query({
    name: "create-sign-in-link",
    text: `with ended as (delete from sign_in_links where user_id = $2)
           insert into sign_in_links (token_hash, user_id, expires_at, is_proof) values ($1, $2, $3, $4)`,
    values: [sha256(token), userId, expiresAt, isProof],
  });
  return { token, expiresAt };
}

/**
 * Creates a link for a user who requested it by email: one use, valid for RESET_MINUTES. Other links stay valid, so that
 * a stranger's request can't end an invitation. All of a user's links end when the user sets a password.
 */
export async function createResetLink(tx: Sql, userId: string): Promise<NewSignInLink> {
  const token = secretBytes(32).toString("base64url");
  const expiresAt = new Date(now().getTime() + RESET_MINUTES * 60_000);
  await tx.query({
    name: "create-reset-link",
    text: `with expired as (delete from sign_in_links where user_id = $2 and expires_at <= $4)
           insert into sign_in_links (token_hash, user_id, expires_at, is_proof) values ($1, $2, $3, true)`,
    values: [sha256(token), userId, expiresAt, now()],
  });
  return { token, expiresAt };
}

/** Returns the user of an unused link, or null when the link was used, has expired or never existed. */
export async function findSignInLink(token: string): Promise<LinkedUser | null> {
  const link = await prisma().signInLink.findUnique({
    where: { tokenHash: new Uint8Array(sha256(token)), usedAt: null, expiresAt: { gt: now() } },
    select: { user: { select: { id: true, name: true, email: true, lastSignInAt: true } } },
  });
  if (link === null) return null;
  const { id, name, email, lastSignInAt } = link.user;
  return { id, name, email, isNew: lastSignInAt === null };
}

/** Uses up the link. Returns null when the link is no longer valid. */
export async function consumeSignInLink(tx: Sql, token: string): Promise<ConsumedLink | null> {
  const [row] = await tx.query<{ user_id: string; is_proof: boolean }>({
    name: "spend-sign-in-link",
    text: `update sign_in_links set used_at = $2
           where token_hash = $1 and used_at is null and expires_at > $2 returning user_id, is_proof`,
    values: [sha256(token), now()],
  });
  return row === undefined ? null : { userId: row.user_id, isProof: row.is_proof };
}
