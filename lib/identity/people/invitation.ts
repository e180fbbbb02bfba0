import "server-only";
import type { z } from "zod";
import { invitationMail } from "@/lib/identity/mail/mail-texts";
import { isMailOn, queueMail } from "@/lib/identity/mail/queue-mail";
import { partnerName } from "@/lib/identity/people/partner-name";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import { requiresSso } from "@/lib/identity/sign-in/sso-only";
import type { PartnerChange } from "@/lib/identity/users/partner-change";
import { type PasswordLink, toPasswordLink } from "@/lib/identity/users/person";
import type { Role } from "@/lib/platform/context";
import { sha256 } from "@/lib/platform/crypto/crypto";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newId, secretBytes } from "@/lib/platform/ids";

/** Hours for which an invitation can be accepted. */
const INVITATION_HOURS = 24;

/** A person whom a partner has invited, as the partner typed it. */
export interface InvitedPerson {
  id: string;
  /** Normalized by `EmailAddress`. */
  email: string;
  name: string;
  role: Role;
}

/** How an invitation reaches the person. */
interface SentInvitation {
  /** Sets the password of an address without an account. null when Trunkline sends the link by email. */
  link: z.infer<typeof PasswordLink> | null;
  /** Leads a person who has an account to the invitation. Opens nothing by itself. */
  acceptLink: z.infer<typeof PasswordLink> | null;
  emailed: boolean;
  /** The name of the single sign-on that the person must use; null when a password works. */
  signsInWith: string | null;
}

const SEND_INVITATION = statement(
  "send-invitation",
  "update invitations set token_hash = :sha256, mail_id = :mailId, expires_at = :expiresAt where partner_id = :partnerId and id = :id",
);

/**
 * Stores a new link of an invitation, valid for INVITATION_HOURS, and sends it to the person. An earlier link becomes
 * invalid. The answer is the same for every address when this instance sends email. Without email, the inviter gets the
 * link: one that sets a password only for an address without an account.
 */
export async function sendInvitation(
  tx: Sql,
  { partnerId, actor, at }: PartnerChange,
  { id, email }: Pick<InvitedPerson, "id" | "email">,
): Promise<SentInvitation> {
  const token = secretBytes(32).toString("base64url");
  const expiresAt = new Date(at.getTime() + INVITATION_HOURS * 3_600_000);
  const mailId = isMailOn() ? newId(at.getTime()) : null;
  await tx.run(SEND_INVITATION, { partnerId, id, sha256: sha256(token), mailId, expiresAt });
  const signsInWith = (await requiresSso(tx, partnerId)) ? (singleSignOnName() ?? "single sign-on") : null;
  const link = toPasswordLink({ token, expiresAt });
  if (mailId === null) {
    const isKnown = await hasAccount(tx, email);
    const passwordLink = isKnown || signsInWith !== null ? null : link;
    return { link: passwordLink, acceptLink: isKnown ? link : null, emailed: false, signsInWith };
  }
  const mail = invitationMail({
    partner: await partnerName(tx, partnerId),
    invitedBy: actor.type === "user" ? actor.name : null,
    linkUrl: link.url,
    signsInWith,
  });
  await queueMail(tx, { id: mailId, type: "invitation", recipient: email, mail });
  return { link: null, acceptLink: null, emailed: true, signsInWith };
}

const HAS_ACCOUNT = statement(
  "has-account",
  `select 1 from users u where email = :email
  and (is_operator or exists (select from memberships m where m.user_id = u.id))`,
);

/** Whether an address is that of an operator or of any partner's member. */
async function hasAccount(tx: Sql, email: string): Promise<boolean> {
  const rows = await tx.run(HAS_ACCOUNT, { email });
  return rows.length > 0;
}
