import "server-only";
import { isMailOn } from "@/lib/identity/mail/queue-mail";
import type { Membership } from "@/lib/identity/users/membership";
import type { Actor } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";

/**
 * Whether an actor may change the credentials of a member. Credentials are the person's and not the partner's: an admin
 * changes those of people whose power does not exceed the admin's. Only operators change an operator's, and the person
 * alone, or `npm run admin`, those of someone who belongs to another partner too.
 */
export function mayChangeCredentials(
  actor: Actor,
  { isOperator, isShared }: Pick<Membership, "isOperator" | "isShared">,
): boolean {
  return !isShared && (!isOperator || isOperatorToo(actor));
}

/** Like `mayChangeCredentials`. Errors: access_denied. */
export function requirePower(actor: Actor, member: Membership): void {
  if (mayChangeCredentials(actor, member)) return;
  if (member.isOperator && !isOperatorToo(actor)) {
    fail("access_denied", "only an operator of this instance can change how an operator signs in");
  }
  fail(
    "access_denied",
    isMailOn()
      ? 'this person also belongs to another partner and resets the password with "Forgot your password?"'
      : "this person also belongs to another partner: ask the operator of this instance to reset the password",
  );
}

function isOperatorToo(actor: Actor): boolean {
  return actor.type === "system" || (actor.type === "user" && actor.isOperator === true);
}
