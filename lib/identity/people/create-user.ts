import "server-only";
import { invitationMail } from "@/lib/identity/mail/mail-texts";
import { queueMail } from "@/lib/identity/mail/queue-mail";
import { addMember } from "@/lib/identity/people/add-member";
import { setMemberRole } from "@/lib/identity/people/change-role";
import { partnerName } from "@/lib/identity/people/partner-name";
import { makeFirstAdminOperator } from "@/lib/identity/people/set-operator";
import { systemPartnerChange } from "@/lib/identity/users/partner-change";
import { toPasswordLink } from "@/lib/identity/users/person";
import { createSignInLink, type NewSignInLink } from "@/lib/identity/users/sign-in-link";
import { EmailAddress } from "@/lib/identity/users/user";
import type { Role } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/database/db";

export interface NewUser {
  partnerId: string;
  email: string;
  name: string;
  role: Role;
  /** false = no invitation by email. */
  isMailed?: boolean;
}

/** `link` is null for an existing user with a password, who only joins another partner. */
export interface CreatedUser {
  userId: string;
  link: NewSignInLink | null;
  /** Whether Trunkline sends the link to the person by email. */
  emailed: boolean;
}

/**
 * Gives a person access to a partner, for the operator: creates the user, adds an existing user with this email
 * address, or changes a member's role. Returns the one-time link that sets the first password. The first admin of an
 * instance becomes its operator. Throws a ZodError for an invalid email address. Errors: state_conflict when the change
 * would demote the partner's last admin.
 */
export function createUser(user: NewUser): Promise<CreatedUser> {
  return transaction((tx) => insertUser(tx, user));
}

/** As `createUser`, in the caller's transaction. */
export async function insertUser(tx: Sql, user: NewUser): Promise<CreatedUser> {
  const email = EmailAddress.parse(user.email);
  const change = systemPartnerChange(user.partnerId);
  const { userId, hasJoined, hasPassword } = await addMember(tx, change, { ...user, email });
  if (hasJoined && user.role === "admin") await makeFirstAdminOperator(tx, userId);
  if (!hasJoined) await setMemberRole(tx, change, { userId, role: user.role });
  const link = hasPassword ? null : await createSignInLink(tx, userId, { isProof: true });
  const partner = await partnerName(tx, user.partnerId);
  const linkUrl = link && toPasswordLink(link).url;
  const mail = invitationMail({ partner, invitedBy: null, linkUrl, signsInWith: null });
  const emailed =
    user.isMailed !== false &&
    (hasJoined || link !== null) &&
    (await queueMail(tx, { type: "invitation", recipient: email, mail }));
  return { userId, link, emailed };
}
