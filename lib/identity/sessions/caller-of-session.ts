import "server-only";
import type { Session, SessionAccount } from "@/lib/identity/sessions/find-session";
import type { AccountRef, UserActor } from "@/lib/platform/context";

/** The caller of a session that has an account. */
export function callerOfSession({
  id,
  user,
  account,
  hasFreshProof,
  method,
}: Session & { account: SessionAccount }): { account: AccountRef; actor: UserActor } {
  return {
    account: { id: account.id, partnerId: account.partner.id, type: account.type },
    actor: {
      type: "user",
      userId: user.id,
      name: user.name,
      email: user.email,
      role: account.role,
      isOperator: user.isOperator,
      sessionId: id,
      hasFreshProof,
      hasPasswordOnly: method === "password",
    },
  };
}
