import "server-only";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { EmailAddress } from "@/lib/identity/users/user";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { newTraceId } from "@/lib/platform/ids";

const SET_OPERATOR = plannedStatement(
  "set-operator",
  "update users set is_operator = :isOperator where email = :address returning id",
);

/**
 * Makes the user with this email address an operator of the instance, or revokes that, effective with the user's next
 * request. Only `npm run admin` calls it. Returns false when no user has the email address. Throws a ZodError for an
 * invalid email address.
 */
export function setOperator(email: string, isOperator: boolean): Promise<boolean> {
  const address = EmailAddress.parse(email);
  return transaction(async (tx) => {
    const [user] = await tx.run(SET_OPERATOR, { address, isOperator });
    if (user === undefined) return false;
    await recordOperator(tx, user.id, isOperator);
    return true;
  });
}

const MAKE_FIRST_ADMIN_OPERATOR = plannedStatement(
  "make-first-admin-operator",
  `update users set is_operator = true
  where id = :userId and not is_operator and not exists (
    select from memberships where role = 'admin' and user_id <> :userId)
  returning id`,
);

/** Makes a new admin the operator when the instance has no other admin. */
export async function makeFirstAdminOperator(tx: Sql, userId: string): Promise<void> {
  const made = await tx.run(MAKE_FIRST_ADMIN_OPERATOR, { userId });
  if (made.length > 0) await recordOperator(tx, userId, true);
}

function recordOperator(tx: Sql, userId: string, isOperator: boolean): Promise<void> {
  const action = isOperator ? "user.operator_granted" : "user.operator_revoked";
  return recordUserAudit(tx, userId, action, { actorType: "system", traceId: newTraceId() });
}
