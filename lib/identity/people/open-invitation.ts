import "server-only";
import type { InvitedPerson } from "@/lib/identity/people/invitation";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { type Sql, sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

/** An invitation that can be accepted now. */
export interface OpenInvitation extends InvitedPerson {
  partner: { id: string; name: string };
  /** Whether the link went to the person's address by email and to no one else, so that its holder has proved it. */
  isMailed: boolean;
  /** The person with this address; null for an address without a user. */
  user: InvitedUser | null;
  /** The name of the single sign-on that the partner requires; null when a password works. */
  signsInWith: string | null;
}

interface InvitedUser {
  id: string;
  /** Whether the person operates the instance or belongs to a partner. A user who does neither has no account. */
  hasAccount: boolean;
  isOperator: boolean;
  /** Whether the person who set the credentials has proved the address. */
  isProved: boolean;
}

const SELECT = `select i.id, i.email, i.name, i.role, i.partner_id, p.name as partner_name, p.requires_sso,
    i.mail_id is not null as is_mailed, u.id as user_id, u.is_operator, u.address_proved_at is not null as is_proved,
    exists (select from memberships m where m.user_id = u.id) as is_member
  from invitations i join partners p on p.id = i.partner_id left join users u on u.email = i.email`;

const INVITATION_BY_TOKEN = statement(
  "invitation-by-token",
  `${SELECT} where i.token_hash = :sha256 and i.expires_at > :now`,
);

/** The invitation of a link; null when the link was used, has expired or never existed. */
export async function findInvitation(token: string, on: Sql = sql): Promise<OpenInvitation | null> {
  const [row] = await on.run(INVITATION_BY_TOKEN, { sha256: sha256(token), now: now() });
  return row === undefined ? null : toInvitation(row);
}

const INVITATIONS_BY_EMAIL = statement(
  "invitations-by-email",
  `${SELECT} where i.email = :email and i.expires_at > :now order by i.id limit 50`,
);

/** The open invitations of an address, oldest first, at most 50. */
export async function findInvitationsOf(email: string, on: Sql = sql): Promise<OpenInvitation[]> {
  const rows = await on.run(INVITATIONS_BY_EMAIL, { email, now: now() });
  return rows.map(toInvitation);
}

/**
 * Whether the holder of the link sets a new password: for an address without an account, and for an account whose
 * credentials were set by who never proved the address, when the link proves it. Everyone else accepts signed in.
 */
export function setsPassword({ isMailed, user }: OpenInvitation): boolean {
  if (user?.hasAccount !== true) return true;
  return isMailed && !user.isProved && !user.isOperator;
}

function toInvitation(row: RowOf<"invitation-by-token">): OpenInvitation {
  const { id, email, name, role, user_id: userId } = row;
  return {
    id,
    email,
    name,
    role,
    partner: { id: row.partner_id, name: row.partner_name },
    isMailed: row.is_mailed,
    signsInWith: row.requires_sso ? (singleSignOnName() ?? "single sign-on") : null,
    user:
      userId === null
        ? null
        : {
            id: userId,
            hasAccount: row.is_operator === true || row.is_member === true,
            isOperator: row.is_operator === true,
            isProved: row.is_proved === true,
          },
  };
}
