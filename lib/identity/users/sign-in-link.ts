import "server-only";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { prisma, type Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
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

const CREATE_SIGN_IN_LINK = statement(
  "create-sign-in-link",
  `with ended as (delete from sign_in_links where user_id = :userId)
  insert into sign_in_links (token_hash, user_id, expires_at, is_proof) values (:sha256, :userId, :expiresAt, :isProof)`,
);

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
  await tx.run(CREATE_SIGN_IN_LINK, { sha256: sha256(token), userId, expiresAt, isProof });
  return { token, expiresAt };
}

const CREATE_RESET_LINK = statement(
  "create-reset-link",
  `with expired as (delete from sign_in_links where user_id = :userId and expires_at <= :now)
  insert into sign_in_links (token_hash, user_id, expires_at, is_proof) values (:sha256, :userId, :expiresAt, true)`,
);

/**
 * Creates a link for a user who requested it by email: one use, valid for RESET_MINUTES. Other links stay valid, so that
 * a stranger's request can't end an invitation. All of a user's links end when the user sets a password.
 */
export async function createResetLink(tx: Sql, userId: string): Promise<NewSignInLink> {
  const token = secretBytes(32).toString("base64url");
  const expiresAt = new Date(now().getTime() + RESET_MINUTES * 60_000);
  await tx.run(CREATE_RESET_LINK, { sha256: sha256(token), userId, expiresAt, now: now() });
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

const SPEND_SIGN_IN_LINK = statement(
  "spend-sign-in-link",
  `update sign_in_links set used_at = :now
  where token_hash = :sha256 and used_at is null and expires_at > :now returning user_id, is_proof`,
);

/** Uses up the link. Returns null when the link is no longer valid. */
export async function consumeSignInLink(tx: Sql, token: string): Promise<ConsumedLink | null> {
  const [row] = await tx.run(SPEND_SIGN_IN_LINK, { sha256: sha256(token), now: now() });
  return row === undefined ? null : { userId: row.user_id, isProof: row.is_proof };
}
