import "server-only";
import { z } from "zod";
import { isMailOn, queueMail } from "@/lib/identity/mail/queue-mail";
import { inAttemptSlot } from "@/lib/identity/sign-in/attempt-slots";
import { claimAttempt, resetThrottles } from "@/lib/identity/sign-in/throttle-attempts";
import { RESET_MINUTES } from "@/lib/identity/users/sign-in-link";
import { EmailAddress } from "@/lib/identity/users/user";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { fail, failRateLimited } from "@/lib/platform/errors/errors";
import { requestClient } from "@/lib/platform/http/request-client";
import { now } from "@/lib/platform/time/clock";

/** For people who cannot sign in. */
export const RequestPasswordReset = contract({
  summary: "Request a password reset by email",
  tag: "Session",
  body: z.object({ email: EmailAddress }),
  status: 204,
  errors: ["field_missing", "parameter_invalid", "feature_not_available", "rate_limited"],
  extension: true,
});

/**
 * Sends a link that sets a new password to a user's email address. Any address gets the same answer after the same work:
 * the worker that sends the email looks up the user. After three requests for one address, requests within growing
 * pauses send no email. Errors: feature_not_available without SMTP_URL, rate_limited after
 * many requests from one client address.
 */
export async function requestPasswordReset({
  body: { email },
}: Pick<Input<typeof RequestPasswordReset>, "body">): Promise<void> {
  if (!isMailOn()) fail("feature_not_available", "this instance sends no email: ask an admin for a new link");
  const { ofClient, ofRecipient } = resetThrottles(requestClient().address, email);
  const queue = (tx: Sql) => queueReset(tx, email, { ofClient, ofRecipient });
  const lockedSeconds = await inAttemptSlot(() => transaction(queue, { isCool: true }));
  if (lockedSeconds > 0) failRateLimited(lockedSeconds);
}

type ResetThrottles = ReturnType<typeof resetThrottles>;

async function queueReset(
  tx: Sql,
  email: string,
  { ofClient, ofRecipient }: ResetThrottles,
): Promise<number> {
  const seconds = await claimAttempt(tx, [ofClient], now());
  if (seconds > 0) return seconds;
  // Otherwise anyone could fill a mailbox.
  if ((await claimAttempt(tx, [ofRecipient], now())) > 0) return 0;
  await queueMail(tx, {
    type: "password_reset",
    recipient: email,
    mail: null,
    usefulMs: RESET_MINUTES * 60_000,
  });
  return 0;
}
