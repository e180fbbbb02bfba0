import "server-only";
import { recordProof, setPassword } from "@/lib/identity/passwords/set-password";
import { addMember } from "@/lib/identity/people/add-member";
import {
  findInvitation,
  findInvitationsOf,
  type OpenInvitation,
  setsPassword,
} from "@/lib/identity/people/open-invitation";
import { startFromNothing } from "@/lib/identity/people/start-from-nothing";
import type { Session } from "@/lib/identity/sessions/find-session";
import { hashPassword } from "@/lib/identity/sign-in/hash-password";
import { lockMembers } from "@/lib/identity/users/membership";
import { type PartnerChange, recordMemberAudit } from "@/lib/identity/users/partner-change";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/**
 * Accepts an invitation with its link and sets the person's password. Whatever signed the address in before ends. Returns
 * the address; null when the link was used, has expired or never existed. Errors: state_conflict for a person who has an
 * account and accepts signed in, and where single sign-on is required.
 */
export async function acceptWithPassword(token: string, password: string): Promise<string | null> {
  const found = await findInvitation(token);
  if (found === null) return null;
  requireSettable(found);
  const passwordHash = await hashPassword(password);
  try {
    return await transaction(async (tx) => {
      await lockInvitation(tx, found);
      const invitation = await findInvitation(token, tx);
      if (invitation === null) throw new LinkEnded();
      requireSettable(invitation);
      const { email, name, user, isMailed } = invitation;
      if (user !== null) await startFromNothing(tx, user.id, user.hasAccount ? null : name);
      const userId = await join(tx, invitation);
      await setPassword(tx, userId, passwordHash, "user");
      await recordProof(tx, userId, isMailed);
      return email;
    });
  } catch (error) {
    if (error instanceof LinkEnded) return null;
    throw error;
  }
}

/** Ends the transaction, so that the user who was created for the lock leaves no trace. */
class LinkEnded extends Error {}

function requireSettable(invitation: OpenInvitation): void {
  const { email, signsInWith } = invitation;
  if (!setsPassword(invitation)) {
    fail("state_conflict", `${email} has an account: sign in, then accept the invitation`);
  }
  if (signsInWith !== null) fail("state_conflict", `sign in with ${signsInWith} to accept the invitation`);
}

/**
 * Accepts an invitation as the signed-in person of its address. A person whose credentials were set by who never proved the
 * address also needs the invitation's link, so that an admin who set a person's password joins no other partner as that
 * person. Errors: name_unknown (also for another person's invitation), access_denied.
 */
export async function acceptSignedIn(
  session: Pick<Session, "id" | "user" | "method">,
  invitationId: string,
  token?: string,
): Promise<void> {
  const found = await findOwn(session, invitationId);
  await transaction(async (tx) => {
    await lockInvitation(tx, found);
    const invitation = await findOwn(session, invitationId, tx);
    const { user } = invitation;
    if (user?.hasAccount !== true && session.method !== "oidc") {
      fail("access_denied", "this account belongs to no partner: open the link of the invitation");
    }
    const holdsLink = token !== undefined && (await findInvitation(token, tx))?.id === invitation.id;
    if (user?.isProved !== true && (!holdsLink || setsPassword(invitation))) {
      fail("access_denied", "no one has proved this email address yet: open the link of the invitation");
    }
    await join(tx, invitation, session.method === "oidc" ? { sessionId: session.id } : undefined);
  });
}

const DECLINE_INVITATION = statement(
  "decline-invitation",
  "delete from invitations where id = :invitationId",
);

/**
 * Declines an invitation as the signed-in person of its address. Errors: name_unknown, access_denied for an address that no
 * one has proved.
 */
export async function declineInvitation(
  session: Pick<Session, "user" | "method">,
  invitationId: string,
): Promise<void> {
  const found = await findOwn(session, invitationId);
  await transaction(async (tx) => {
    await lockInvitation(tx, found);
    const invitation = await findOwn(session, invitationId, tx);
    if (invitation.user?.isProved !== true) {
      fail("access_denied", "no one has proved this email address yet: let the invitation expire");
    }
    await tx.run(DECLINE_INVITATION, { invitationId: invitation.id });
    await recordMemberAudit(tx, changeBy(invitation), invitation.id, "user.invitation_declined", {
      email: invitation.email,
    });
  });
}

/** The invitations that the signed-in person can accept here, without a link. */
export async function listOwnInvitations(
  session: Pick<Session, "user" | "method">,
): Promise<OpenInvitation[]> {
  const found = await findInvitationsOf(session.user.email);
  return found.filter(
    ({ user }) => user?.isProved === true && (user.hasAccount || session.method === "oidc"),
  );
}

async function findOwn(
  { user }: Pick<Session, "user">,
  invitationId: string,
  tx?: Sql,
): Promise<OpenInvitation> {
  const invitations = await findInvitationsOf(user.email, tx);
  return (
    invitations.find(({ id }) => id === invitationId) ??
    fail("name_unknown", "this invitation was withdrawn or has expired: ask for a new one")
  );
}

const LOCK_INVITED_USER = statement(
  "lock-invited-user",
  `insert into users (id, email, name, created_at) values (:id, :email, :name, :now)
  on conflict (email) do update set email = excluded.email`,
);

// In the order of every change of people: the partner, then the user, who is created so that two partners' links can't
// both set a first password. What is read afterwards stays true.
async function lockInvitation(tx: Sql, { partner, id, email, name }: OpenInvitation): Promise<void> {
  await lockMembers(tx, partner.id);
  await tx.run(LOCK_INVITED_USER, { id, email, name, now: now() });
}

async function join(tx: Sql, invitation: OpenInvitation, bySso?: { sessionId: string }): Promise<string> {
  const { id, email, name, role } = invitation;
  const action = "user.invitation_accepted";
  const member = { id, email, name, role, isProved: true, action, ...(bySso && { bySso }) } as const;
  return (await addMember(tx, changeBy(invitation), member)).userId;
}

// The person acts, who is not a member before.
function changeBy({ partner, id, email, name, role, user }: OpenInvitation): PartnerChange {
  const actor = { type: "user", userId: user?.id ?? id, name, email, role } as const;
  return { partnerId: partner.id, actor, traceId: newTraceId(), at: now() };
}
