import "server-only";
import type { z } from "zod";
import { Mail, type MailType } from "@/lib/identity/mail/mail";
import { type SealContext, seal, unseal } from "@/lib/platform/crypto/crypto";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const DAY_MS = 24 * 60 * 60 * 1000;

export type MailContent = z.input<typeof Mail>;

export interface NewMail {
  /** The id of the email; absent = a new one. */
  id?: string;
  type: MailType;
  /** Normalized by `EmailAddress`. */
  recipient: string;
  /** null = written at the first attempt (`preparePasswordReset`). */
  mail: MailContent | null;
  /** For how long the email is useful. An email that can't be sent in this time is given up. Absent = a day. */
  usefulMs?: number;
}

/** Whether this instance sends email (SMTP_URL). */
export function isMailOn(): boolean {
  return env().SMTP_URL !== undefined;
}

const QUEUE_MAIL = statement(
  "queue-mail",
  `insert into outgoing_mails (id, type, recipient, sealed, created_at, due_at, give_up_at)
  values (:id, :type, :recipient, :sealed, :createdAt, :createdAt, :giveUpAt)`,
);

/**
 * Stores an email in the transaction of the change that causes it. A worker sends the email after the commit, at least
 * once. Does nothing without SMTP_URL. Returns whether the email was stored.
 */
export async function queueMail(
  tx: Sql,
  { id = newId(now().getTime()), type, recipient, mail, usefulMs = DAY_MS }: NewMail,
): Promise<boolean> {
  if (!isMailOn()) return false;
  const at = now();
  await tx.run(QUEUE_MAIL, {
    id,
    type,
    recipient,
    sealed: mail && sealMail(id, mail),
    createdAt: at,
    giveUpAt: new Date(at.getTime() + usefulMs),
  });
  tx.wake("mails");
  return true;
}

/** Seals the content of an email for its row. */
export function sealMail(id: string, mail: MailContent): Buffer {
  return seal(JSON.stringify(mail), mailContext(id));
}

/** Opens the content of an email. Throws UnreadableSecret. */
export function openMail(id: string, sealed: Uint8Array): Mail {
  return Mail.parse(JSON.parse(unseal(sealed, mailContext(id))));
}

export function mailContext(id: string): SealContext {
  return { purpose: "mail", row: { accountId: "instance", id } };
}
