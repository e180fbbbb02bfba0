import "server-only";
import { z } from "zod";
import { invitationMail } from "@/lib/identity/mail/mail-texts";
import { queueMail } from "@/lib/identity/mail/queue-mail";
import { singleSignOnName } from "@/lib/identity/sso/single-sign-on-name";
import { requiresSso } from "@/lib/identity/sso/sso-only";
import { addMember } from "@/lib/identity/users/add-member";
import { partnerChangeOf } from "@/lib/identity/users/partner-change";
import { partnerName } from "@/lib/identity/users/partner-name";
import { PasswordLink, RoleName, toPasswordLink } from "@/lib/identity/users/person";
import { requireFreshProof } from "@/lib/identity/users/require-fresh-proof";
import { createSignInLink } from "@/lib/identity/users/sign-in-link";
import { EmailAddress } from "@/lib/identity/users/user";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

export const InvitePerson = contract({
  summary: "Invite a person",
  tag: "People",
  right: "manage_people",
  body: z.object({
    email: EmailAddress,
    name: z.string().trim().min(1, "enter the person's name").max(100),
    role: RoleName,
  }),
  returns: z.object({
    id: z.uuid(),
    /** null when the person already has a password and signs in as before. */
    link: PasswordLink.nullable(),
    /** Whether Trunkline sends the link to the person by email. */
    emailed: z.boolean(),
    /** The name of the single sign-on that the person must use; null when a password works. */
    signs_in_with: z.string().nullable(),
  }),
  status: 201,
  errors: ["access_denied", "proof_required", "field_missing", "parameter_invalid", "state_conflict"],
  extension: true,
});

/**
 * Gives a person access to the account's partner. The one-time link sets the first password. Since the link is enough
 * to sign in as that person, none is created for a person who belongs to another partner too,
 * nor where single sign-on is required. Errors: proof_required,
 * state_conflict when the person already belongs to the partner.
 */
export async function invitePerson(ctx: Context, { body }: Pick<Input<typeof InvitePerson>, "body">) {
  requireFreshProof(ctx);

  const change = partnerChangeOf(ctx);
  return transaction(async (tx) => {
    const member = await addMember(tx, change, body);
    if (!member.hasJoined) fail("state_conflict", "this person is already a member of the partner");
    const signsInWith = (await requiresSso(tx, change.partnerId))
      ? (singleSignOnName() ?? "single sign-on")
      : null;
    const needsLink = !member.hasPassword && !member.isShared && signsInWith === null;
    const link = needsLink ? toPasswordLink(await createSignInLink(tx, member.userId)) : null;
    const mail = invitationMail({
      partner: await partnerName(tx, change.partnerId),
      invitedBy: ctx.actor.type === "user" ? ctx.actor.name : null,
      linkUrl: link?.url ?? null,
      signsInWith,
    });
    const emailed = await queueMail(tx, { type: "invitation", recipient: body.email, mail });
    return { id: member.userId, link, emailed, signs_in_with: signsInWith };
  });
}
