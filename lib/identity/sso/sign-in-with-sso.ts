import "server-only";
import { recordProof } from "@/lib/identity/passwords/set-password";
import { findInvitationsOf } from "@/lib/identity/people/open-invitation";
import { startFromNothing } from "@/lib/identity/people/start-from-nothing";
import { PROOF_MINUTES } from "@/lib/identity/sessions/proof-rule";
import { isLiveSession, sessionLimits } from "@/lib/identity/sessions/session-limits";
import { type AdmittedUser, admitUser, type SignInCookies } from "@/lib/identity/sign-in/admit-user";
import type { SsoPerson } from "@/lib/identity/sso/read-claims";
import { hasRoleForGroups, syncGroups } from "@/lib/identity/sso/sync-groups";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import type { SignedInUser } from "@/lib/identity/users/user";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** Why single sign-on admits no one. */
export type SsoRefusal =
  /** No one with this address was invited, and no group of the person has a role. */
  | "unknown"
  | "no_email"
  | "unverified"
  | "invalid"
  /** The address is that of a person whose account at the provider is another one. */
  | "linked"
  /** The person must sign in another way and link the account at the provider first. */
  | "link_required";

export type SsoSignIn =
  | { outcome: "signed_in"; user: SignedInUser }
  | { outcome: "refused"; reason: SsoRefusal };

interface SsoTokens {
  /** null = unknown. */
  groups: readonly string[] | null;
  refreshToken: string | null;
}

/**
 * Signs in the person of an account at the identity provider, with the memberships and roles of the person's groups. The
 * account is known by `iss` and `sub`, whatever its address. The first time, the verified address finds the person; from
 * then on, no other account of the provider opens the person's. An operator, and a person of several partners with a
 * password or a passkey, links the account in a session with a fresh proof. Credentials that were set by who never proved
 * the address end.
 */
export async function signInWithSso(
  person: SsoPerson,
  { groups, refreshToken }: SsoTokens,
  cookies: SignInCookies = {},
): Promise<SsoSignIn> {
  const user = await findOrLink(person, groups, cookies);
  if (typeof user === "string") return { outcome: "refused", reason: user };
  // Another transaction, because changes of people lock the partner before the user.
  return transaction(async (tx) => {
    await syncGroups(tx, user, groups);
    const { subject, sid, authTime } = person;
    const how = { method: "oidc", provedAt: authTime, identity: { subject, sid, refreshToken } } as const;
    const admitted = await admitUser(tx, user, how, cookies);
    // Single sign-on satisfies every rule of a partner.
    if (admitted === null) throw new Error("single sign-on was refused by a sign-in rule");
    return { outcome: "signed_in", user: admitted };
  });
}

/** Ends the transaction, so that a stranger leaves no trace. */
class UnknownPerson extends Error {}

async function findOrLink(
  person: SsoPerson,
  groups: readonly string[] | null,
  cookies: SignInCookies,
): Promise<AdmittedUser | SsoRefusal> {
  try {
    return await transaction(
      async (tx) => (await findLinked(tx, person)) ?? (await link(tx, person, groups, cookies)),
    );
  } catch (error) {
    if (error instanceof UnknownPerson) return "unknown";
    throw error;
  }
}

const USER_BY_IDENTITY = statement(
  "user-by-identity",
  `select u.id, u.email, u.name, u.address_proved_at is null and not u.is_operator as is_doubtful
  from user_identities i join users u on u.id = i.user_id where i.issuer = :issuer and i.subject = :subject`,
);

// An admin who was shown a link may have set the person's password after the account was linked.
async function findLinked(tx: Sql, { issuer, subject }: SsoPerson): Promise<AdmittedUser | null> {
  const [row] = await tx.run(USER_BY_IDENTITY, { issuer, subject });
  if (row === undefined) return null;
  const { is_doubtful, ...user } = row;
  if (is_doubtful) await startFromNothing(tx, user.id, null, { sessionId: null });
  return user;
}

type Candidate = RowOf<"candidate-by-email">;

async function link(
  tx: Sql,
  person: SsoPerson,
  groups: readonly string[] | null,
  cookies: SignInCookies,
): Promise<AdmittedUser | SsoRefusal> {
  const { email, problem } = person;
  if (email === null) return problem ?? "no_email";
  const candidate = await lockByAddress(tx, person, email);
  // Another browser of the person may have been first.
  const linked = await findLinked(tx, person);
  if (linked !== null) return linked;
  const isMember = candidate.partners > 0 || candidate.is_operator;
  if (!isMember) {
    const isExpected =
      (await hasRoleForGroups(tx, groups)) || (await findInvitationsOf(email, tx)).length > 0;
    if (!isExpected) throw new UnknownPerson();
    await startFromNothing(tx, candidate.id, person.name);
  } else {
    const refusal = await refusalOf(tx, candidate, cookies);
    if (refusal !== null) {
      const detail = { method: "oidc", reason: refusal };
      await recordUserAudit(tx, candidate.id, "user.sign_in_failed", { detail });
      return refusal;
    }
  }
  await recordProof(tx, candidate.id, true);
  await insertIdentity(tx, person, candidate.id);
  await recordUserAudit(tx, candidate.id, "user.identity_linked");
  return isMember ? candidate : { ...candidate, name: person.name };
}

async function refusalOf(
  tx: Sql,
  candidate: Candidate,
  { session }: SignInCookies,
): Promise<SsoRefusal | null> {
  if (candidate.is_linked) return "linked";
  const needsLink = candidate.is_operator || (candidate.partners > 1 && candidate.has_credentials);
  if (needsLink && !(await hasProvedSession(tx, candidate.id, session))) return "link_required";
  if (!candidate.is_proved && !candidate.is_operator) await startFromNothing(tx, candidate.id, null);
  return null;
}

const LOCK_USER_BY_EMAIL = statement(
  "lock-user-by-email",
  `insert into users (id, email, name, created_at) values (:id, :email, :name, :now)
  on conflict (email) do update set email = excluded.email`,
);

const CANDIDATE_BY_EMAIL = statement(
  "candidate-by-email",
  `select u.id, u.email, u.name, u.is_operator, u.address_proved_at is not null as is_proved,
    (select count(*)::int from memberships m where m.user_id = u.id) as partners,
    u.password_hash is not null or exists (select from user_passkeys k where k.user_id = u.id) as has_credentials,
    exists (select from user_identities i where i.user_id = u.id and i.issuer = :issuer) as is_linked
  from users u where u.email = :email`,
);

// Creates the user, so that no one else does at the same time. What is read after the lock stays true.
async function lockByAddress(tx: Sql, { issuer, name }: SsoPerson, email: string): Promise<Candidate> {
  await tx.run(LOCK_USER_BY_EMAIL, { id: newId(now().getTime()), email, name, now: now() });
  const [user] = await tx.run(CANDIDATE_BY_EMAIL, { email, issuer });
  if (user === undefined) throw new Error("the user was not stored");
  return user;
}

const INSERT_IDENTITY = statement(
  "insert-identity",
  "insert into user_identities (issuer, subject, user_id, created_at) values (:issuer, :subject, :userId, :now)",
);

async function insertIdentity(tx: Sql, { issuer, subject }: SsoPerson, userId: string): Promise<void> {
  await tx.run(INSERT_IDENTITY, { issuer, subject, userId, now: now() });
}

const PROVED_SESSION_OF_USER = statement(
  "proved-session-of-user",
  `select from sessions s where s.token_hash = :tokenHash and s.user_id = :userId and s.method <> 'oidc'
    and s.proved_at > now() - interval '${PROOF_MINUTES} minutes' and ${isLiveSession("s")}`,
);

/** Whether this browser has a session of the person that was proved recently, and not by the provider itself. */
async function hasProvedSession(
  tx: Sql,
  userId: string,
  secret: string | null | undefined,
): Promise<boolean> {
  if (secret == null) return false;
  const rows = await tx.run(PROVED_SESSION_OF_USER, {
    tokenHash: sha256(secret),
    userId,
    ...sessionLimits(),
  });
  return rows.length > 0;
}
