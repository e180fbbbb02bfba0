import "server-only";
import { z } from "zod";
import { setPasswordByLink } from "@/lib/identity/passwords/set-password";
import { acceptWithPassword } from "@/lib/identity/people/accept-invitation";
import { inAttemptSlot } from "@/lib/identity/sign-in/attempt-slots";
import { claimAttemptNow, linkThrottle } from "@/lib/identity/sign-in/throttle-attempts";
import { Password } from "@/lib/identity/users/user";
import { contract, type Input } from "@/lib/platform/contract";
import { fail, failRateLimited } from "@/lib/platform/errors/errors";
import { requestClient } from "@/lib/platform/http/request-client";
import { now } from "@/lib/platform/time/clock";

/** For people who cannot sign in yet. The token of the one-time link authenticates them. */
export const SetFirstPassword = contract({
  summary: "Set a password with a one-time link",
  tag: "Session",
  body: z.object({ token: z.string(), password: Password }),
  returns: z.object({ email: z.string() }),
  status: 200,
  errors: ["field_missing", "parameter_invalid", "name_unknown", "state_conflict", "rate_limited"],
  extension: true,
});

/**
 * Sets the password of a one-time link's user, or accepts the invitation of the link. Errors: name_unknown (a link that was
 * used, has expired or never existed), state_conflict (an invitation that the person accepts signed in), rate_limited after
 * many links from one client address that don't work.
 */
export function setFirstPassword({
  body: { token, password },
}: Pick<Input<typeof SetFirstPassword>, "body">): Promise<{ email: string }> {
  return inAttemptSlot(async () => {
    const email = (await setPasswordByLink(token, password)) ?? (await acceptWithPassword(token, password));
    return email === null ? failUnknownLink() : { email };
  });
}

// A link that works is never delayed by those that others tried from the same address.
async function failUnknownLink(): Promise<never> {
  const seconds = await claimAttemptNow([linkThrottle(requestClient().address)], now());
  if (seconds > 0) failRateLimited(seconds);
  return fail("name_unknown", "This link has expired or was already used. Ask an admin for a new link.");
}
