import "server-only";
import { z } from "zod";

const MAIL_TYPES = ["invitation", "password_reset", "new_device", "token_expiring", "alert", "test"] as const;

/** The reason for an email. */
export type MailType = (typeof MAIL_TYPES)[number];

/** The content of an email, without layout. */
export const Mail = z.object({
  subject: z.string(),
  paragraphs: z.array(z.string()),
  /** Shown as a list, such as the device and the time of a sign-in. */
  details: z.array(z.tuple([z.string(), z.string()])).default([]),
  /** The one thing to do, as a button. */
  action: z.object({ label: z.string(), url: z.url() }).optional(),
});

export type Mail = z.infer<typeof Mail>;
