import "server-only";
import { z } from "zod";
import { sendInvitation } from "@/lib/identity/people/invitation";
import { requireFreshProof } from "@/lib/identity/sessions/require-fresh-proof";
import { claimAttemptNow, invitationThrottles } from "@/lib/identity/sign-in/throttle-attempts";
import { lockMembers } from "@/lib/identity/users/membership";
import { type PartnerChange, partnerChangeOf, recordMemberAudit } from "@/lib/identity/users/partner-change";
import { PasswordLink, RoleName } from "@/lib/identity/users/person";
import { EmailAddress } from "@/lib/identity/users/user";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail, failRateLimited } from "@/lib/platform/errors/errors";
import { newId, secretBytes } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const Invited = z.object({
  id: z.uuid(),
  /**
   * Sets the first password. null for an address that has an account, and when Trunkline sends the link to the person by
   * email.
   */
  link: PasswordLink.nullable(),
  /**
   * For a person who has an account, when Trunkline sends no email: opens the invitation, which the person accepts signed
   * in. The link alone opens no session.
   */
  accept_link: PasswordLink.nullable(),
  /** Whether Trunkline sends the link to the person by email. */
  emailed: z.boolean(),
  /** The name of the single sign-on that the person must use; null when a password works. */
  signs_in_with: z.string().nullable(),
});

export const InvitePerson = contract({
  summary: "Invite a person",
  tag: "People",
  right: "manage_people",
  proof: true,
  body: z.object({
    email: EmailAddress,
    name: z.string().trim().min(1, "enter the person's name").max(100),
    role: RoleName,
  }),
  returns: Invited,
  status: 201,
  errors: [
    "access_denied",
    "proof_required",
    "field_missing",
    "parameter_invalid",
    "state_conflict",
    "rate_limited",
  ],
  extension: true,
});

const INSERT_INVITATION = statement(
  "insert-invitation",
  `insert into invitations (id, partner_id, email, name, role, token_hash, created_at, expires_at)
  values (:id, :partnerId, :email, :name, :role, :secretBytes, :changeAt, :changeAt)
  on conflict (partner_id, email) do nothing returning 1`,
);

/**
 * Invites a person to the account's partner. The person becomes a member by accepting: with the link, which sets the first
 * password of an address without an account, or signed in. Until then the partner knows only what it typed. Errors:
 * proof_required, state_conflict when the person already belongs to the partner or is already invited, rate_limited.
 */
export async function invitePerson(ctx: Context, { body }: Pick<Input<typeof InvitePerson>, "body">) {
  requireFreshProof(ctx);
  await claimInvitation(ctx.account.partnerId, body.email);

  const change = partnerChangeOf(ctx);
  return transaction(async (tx) => {
    await lockMembers(tx, change.partnerId);
    await failIfMember(tx, change.partnerId, body.email);
    const id = newId(change.at.getTime());
    const inserted = await tx.run(INSERT_INVITATION, {
      id,
      partnerId: change.partnerId,
      email: body.email,
      name: body.name,
      role: body.role,
      secretBytes: secretBytes(32),
      changeAt: change.at,
    });
    if (inserted.length === 0) {
      fail("state_conflict", "this person is already invited: send the invitation again under People");
    }
    await recordMemberAudit(tx, change, id, "user.invited", { email: body.email, role: body.role });
    return send(tx, change, { id, email: body.email });
  });
}

export const ResendInvitation = contract({
  summary: "Send an invitation again",
  tag: "People",
  right: "manage_people",
  proof: true,
  params: z.object({ userId: z.uuid() }),
  returns: Invited,
  status: 201,
  errors: ["access_denied", "proof_required", "name_unknown", "rate_limited"],
  extension: true,
});

/**
 * Sends an invitation that was not accepted again, with a new link; the earlier link becomes invalid. Errors:
 * proof_required, name_unknown without a pending invitation, rate_limited.
 */
export async function resendInvitation(
  ctx: Context,
  { params }: Pick<Input<typeof ResendInvitation>, "params">,
) {
  requireFreshProof(ctx);
  const change = partnerChangeOf(ctx);
  const email = await transaction((tx) => findAddress(tx, change.partnerId, params.userId));
  await claimInvitation(change.partnerId, email);
  return transaction(async (tx) => {
    await lockMembers(tx, change.partnerId);
    // The person may have accepted in between.
    await findAddress(tx, change.partnerId, params.userId);
    await recordMemberAudit(tx, change, params.userId, "user.invitation_resent", { email });
    return send(tx, change, { id: params.userId, email });
  });
}

async function send(
  tx: Sql,
  change: PartnerChange,
  invited: { id: string; email: string },
): Promise<z.infer<typeof Invited>> {
  const { link, acceptLink, emailed, signsInWith } = await sendInvitation(tx, change, invited);
  return { id: invited.id, link, accept_link: acceptLink, emailed, signs_in_with: signsInWith };
}

// Before the invitation, so that attempts that fail count too.
async function claimInvitation(partnerId: string, email: string): Promise<void> {
  const seconds = await claimAttemptNow(invitationThrottles(partnerId, email), now());
  if (seconds > 0) failRateLimited(seconds);
}

const MEMBER_OF_PARTNER_BY_EMAIL = statement(
  "member-of-partner-by-email",
  `select 1 from memberships m join users u on u.id = m.user_id
  where m.partner_id = :partnerId and u.email = :email`,
);

async function failIfMember(tx: Sql, partnerId: string, email: string): Promise<void> {
  const members = await tx.run(MEMBER_OF_PARTNER_BY_EMAIL, { partnerId, email });
  if (members.length > 0) fail("state_conflict", "this person is already a member of the partner");
}

const ADDRESS_OF_INVITATION = statement(
  "address-of-invitation",
  "select email from invitations where partner_id = :partnerId and id = :invitationId",
);

async function findAddress(tx: Sql, partnerId: string, invitationId: string): Promise<string> {
  const [row] = await tx.run(ADDRESS_OF_INVITATION, { partnerId, invitationId });
  return row?.email ?? fail("name_unknown", "this person has no open invitation: reload the list");
}
