import "server-only";
import { z } from "zod";
import { testMail } from "@/lib/identity/mail/mail-texts";
import { isMailOn, queueMail } from "@/lib/identity/mail/queue-mail";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

const USEFUL_MS = 10 * 60 * 1000;

export const SendTestMail = contract({
  summary: "Send a test email to yourself",
  tag: "Instance",
  right: "operate_instance",
  returns: z.object({ recipient: z.string() }),
  status: 202,
  errors: ["access_denied", "feature_not_available"],
});

/**
 * Sends an email to the address of the calling operator. The state of email shows whether the mail server accepted it.
 * Errors: feature_not_available without SMTP_URL.
 */
export async function sendTestMail(ctx: Context): Promise<{ recipient: string }> {
  if (ctx.actor.type !== "user") fail("access_denied", "sign in to the dashboard first");
  if (!isMailOn()) fail("feature_not_available", "set SMTP_URL and MAIL_FROM to send email");
  const recipient = ctx.actor.email;
  await transaction((tx) =>
    queueMail(tx, { type: "test", recipient, mail: testMail(ctx.now), usefulMs: USEFUL_MS }),
  );
  return { recipient };
}
