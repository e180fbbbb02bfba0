import "server-only";
import type { Mail } from "@/lib/identity/mail/mail";
import { passwordResetMail } from "@/lib/identity/mail/mail-texts";
import { openMail, sealMail } from "@/lib/identity/mail/queue-mail";
import { toPasswordLink } from "@/lib/identity/users/person";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { createResetLink, RESET_MINUTES } from "@/lib/identity/users/sign-in-link";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { runForClient } from "@/lib/platform/http/request-client";

const LOCK_MAIL = statement(
  "lock-mail",
  "select sealed from outgoing_mails where id = :mailId and due_at is not null for update",
);

const DELETE_MAIL = statement("delete-mail", "delete from outgoing_mails where id = :mailId");

const STORE_MAIL_CONTENT = statement(
  "store-mail-content",
  "update outgoing_mails set sealed = :sealed where id = :mailId",
);

/**
 * Creates the link of a password reset that was requested for an email address, and stores it in the email. Returns
 * null, and deletes the email, when no user of a partner has this address. Later attempts send the same link.
 */
export function preparePasswordReset(mailId: string, address: string): Promise<Mail | null> {
  return transaction(async (tx) => {
    const [row] = await tx.run(LOCK_MAIL, { mailId });
    if (row === undefined) return null;
    if (row.sealed !== null) return openMail(mailId, row.sealed);

    const userId = await findMember(tx, address);
    if (userId === null) {
      await tx.run(DELETE_MAIL, { mailId });
      return null;
    }

    const { url } = toPasswordLink(await createResetLink(tx, userId));
    const sealed = sealMail(mailId, passwordResetMail(url, RESET_MINUTES));
    await tx.run(STORE_MAIL_CONTENT, { mailId, sealed });
    // The worker acts for no client, whatever request woke it.
    await runForClient({ address: null, userAgent: null }, () =>
      recordUserAudit(tx, userId, "user.password_reset_requested", { actorType: "system" }),
    );
    return openMail(mailId, sealed);
  });
}

const MEMBER_BY_EMAIL = statement(
  "member-by-email",
  `select id from users u where email = :address
  and (is_operator or exists (select from memberships m where m.user_id = u.id))`,
);

async function findMember(tx: Sql, address: string): Promise<string | null> {
  const [user] = await tx.run(MEMBER_BY_EMAIL, { address });
  return user?.id ?? null;
}
