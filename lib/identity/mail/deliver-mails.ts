import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Mail } from "@/lib/identity/mail/mail";
import { preparePasswordReset } from "@/lib/identity/mail/prepare-password-reset";
import { isMailOn, openMail } from "@/lib/identity/mail/queue-mail";
import { renderMail } from "@/lib/identity/mail/render-mail";
import { type MailOutcome, sendMail } from "@/lib/identity/mail/send-mail";
import { UnreadableSecret } from "@/lib/platform/crypto/crypto";
import { sql } from "@/lib/platform/database/db";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";
import { mailResults } from "@/lib/platform/telemetry/metrics";
import { now } from "@/lib/platform/time/clock";

const CONCURRENCY = 4;
const POLL_MS = 5000;
/** Longer than an attempt and the attempts to record it. */
const LEASE_SECONDS = 120;
/** The waits after failed attempts, in seconds. The last one repeats until the email is given up. */
const RETRY_SECONDS = [15, 30, 60, 120, 300, 600, 1200, 1800, 3600];
const RECORD_TRIES = 20;
const RECORD_PAUSE_MS = 1000;

type DueMail = RowOf<"claim-mails">;

// Emails whose success could not be recorded. This process only records them when it claims them again.
const shared = globalThis as typeof globalThis & { trunklineSentMails?: Set<string> };

/**
 * Starts sending email. Returns null without SMTP_URL. An email is sent at least once: if the process ends between the
 * server's acceptance and its record, the email is sent again with the same Message-ID.
 */
export function startMails(): Queue | null {
  if (!isMailOn()) return null;
  return startQueue<DueMail>({
    name: "mails",
    topic: "mails",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    claim: claimMails,
    handle: deliverMail,
  });
}

const CLAIM_MAILS = statement(
  "claim-mails",
  `with due as (
    select id from outgoing_mails
    where due_at <= :now and (leased_until is null or leased_until <= statement_timestamp())
    order by due_at limit :limit for update skip locked
  )
  update outgoing_mails m set attempts = attempts + 1,
    leased_until = statement_timestamp() + interval '${LEASE_SECONDS} s'
  from due where m.id = due.id
  returning m.id, m.type, m.recipient, m.sealed, m.give_up_at as "giveUpAt", m.attempts`,
);

function claimMails(limit: number): Promise<DueMail[]> {
  return sql.run(CLAIM_MAILS, { now: now(), limit });
}

async function deliverMail(mail: DueMail): Promise<void> {
  shared.trunklineSentMails ??= new Set();
  const sent = shared.trunklineSentMails;
  if (!sent.has(mail.id)) {
    const outcome = await attempt(mail);
    if (outcome === null) return;
    if (outcome.result === "failed") return recordFailure(mail, outcome);
    sent.add(mail.id);
  }
  await recordSent(mail);
  sent.delete(mail.id);
}

// null = there is nothing to send.
async function attempt(mail: DueMail): Promise<MailOutcome | null> {
  if (mail.giveUpAt <= now()) return failed("EXPIRED", "the email was not sent in time");
  try {
    const content = await contentOf(mail);
    if (content === null) return null;
    return await sendMail({ id: mail.id, recipient: mail.recipient, ...renderMail(content) });
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    return failed("UNREADABLE", "no key of ENCRYPTION_KEY opens the content of the email");
  }
}

function failed(code: string, reason: string): MailOutcome {
  return { result: "failed", permanent: true, code, responseCode: null, reason };
}

async function contentOf({ id, sealed, recipient }: DueMail): Promise<Mail | null> {
  return sealed === null ? preparePasswordReset(id, recipient) : openMail(id, sealed);
}

const RECORD_SENT_MAIL = statement(
  "record-sent-mail",
  `update outgoing_mails
  set sent_at = :sentAt, due_at = null, sealed = null, leased_until = null, last_error = null
  where id = :id`,
);

async function recordSent({ id, type }: DueMail): Promise<void> {
  const sentAt = now();
  // The email must not leave a second time because the database was away for a moment.
  for (let tries = 1; ; tries++) {
    try {
      await sql.run(RECORD_SENT_MAIL, { id, sentAt });
      break;
    } catch (error) {
      if (tries === RECORD_TRIES) throw error;
      await sleep(RECORD_PAUSE_MS);
    }
  }
  mailResults.inc({ type, result: "sent" });
}

const RECORD_FAILED_MAIL = statement(
  "record-failed-mail",
  `update outgoing_mails set due_at = :dueAt, leased_until = null, last_error = :lastError,
    sealed = case when :dueAt::timestamptz is null then null else sealed end
  where id = :id and sent_at is null and attempts = :attempts`,
);

// After a later claim of the same email, this attempt's result no longer counts.
async function recordFailure(mail: DueMail, failure: MailOutcome & { result: "failed" }): Promise<void> {
  const { id, type, attempts, giveUpAt } = mail;
  const { permanent, code, responseCode, reason } = failure;
  const waitSeconds = RETRY_SECONDS[Math.min(attempts, RETRY_SECONDS.length) - 1] ?? 0;
  const next = new Date(now().getTime() + waitSeconds * 1000);
  const dueAt = permanent || next >= giveUpAt ? null : next;
  await sql.run(RECORD_FAILED_MAIL, { id, dueAt, lastError: `${code}: ${reason}`, attempts });
  mailResults.inc({ type, result: dueAt === null ? "given_up" : "retried" });
  const details = { mailId: id, type, code, responseCode, attempts };
  if (dueAt === null) log.error(details, "an email was given up");
  else log.warn(details, "an email could not be sent and will be retried");
}
