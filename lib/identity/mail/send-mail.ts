import "server-only";
import { hostname } from "node:os";
import type { NodemailerError } from "nodemailer";
import type { RenderedMail } from "@/lib/identity/mail/render-mail";
import { dashboardUrl, env } from "@/lib/platform/env";
import { parseSender, parseSmtpUrl, type SmtpServer } from "@/lib/platform/mail-settings";

const ATTEMPT_MS = 60_000;
const CHECK_MS = 10_000;
const MAX_REASON = 300;

/** The result of one attempt. `permanent`: the server refused this email, so another attempt gets the same answer. */
export type MailOutcome =
  | { result: "sent" }
  | { result: "failed"; permanent: boolean; code: string; responseCode: number | null; reason: string };

interface PostedMail extends RenderedMail {
  id: string;
  recipient: string;
}

/**
 * Makes one attempt to pass an email to the server of SMTP_URL, in at most `timeoutMs`. Never throws. The email's id is
 * its Message-ID, so that a mail program can recognize a repetition. The reason of a failure contains no password.
 */
export async function sendMail(
  { id, recipient, subject, text, html }: PostedMail,
  timeoutMs = ATTEMPT_MS,
): Promise<MailOutcome> {
  const { SMTP_URL = "", MAIL_FROM = "" } = env();
  const server = parseSmtpUrl(SMTP_URL);
  const from = parseSender(MAIL_FROM);
  if (server === null || from === null) throw new Error("SMTP_URL and MAIL_FROM are not set");
  // Loaded by the first email, because most instances send none.
  const { default: nodemailer } = await import("nodemailer");
  const transport = nodemailer.createTransport(connectionTo(server, timeoutMs));
  try {
    await transport.sendMail({
      from,
      to: { name: "", address: recipient },
      messageId: `<${id}@${new URL(dashboardUrl()).hostname}>`,
      subject,
      text,
      html,
      // Replies of vacation programs would reach no one.
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { result: "sent" };
  } catch (error) {
    return failureOf(error as NodemailerError, server);
  } finally {
    transport.close();
  }
}

/**
 * Connects to the server of SMTP_URL and signs in, without sending. Returns null when this works, else the error's code
 * (such as EAUTH) and its reason, which contains no password. Throws an Error if SMTP_URL is not set.
 */
export async function checkMailServer(): Promise<{ code: string; reason: string } | null> {
  const server = parseSmtpUrl(env().SMTP_URL ?? "");
  if (server === null) throw new Error("SMTP_URL is not set");
  const { default: nodemailer } = await import("nodemailer");
  const transport = nodemailer.createTransport(connectionTo(server, CHECK_MS));
  try {
    await transport.verify();
    return null;
  } catch (error) {
    const { code = "UNKNOWN", message } = error as NodemailerError;
    return { code, reason: withoutSecrets(message, server.user, server.password) };
  } finally {
    transport.close();
  }
}

function connectionTo({ host, port, secure, requireTls, user, password }: SmtpServer, timeoutMs: number) {
  return {
    host,
    port,
    secure,
    requireTLS: requireTls,
    ...(user === null ? {} : { auth: { user, pass: password ?? "" } }),
    name: hostname(),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function failureOf(error: NodemailerError, { user, password }: SmtpServer): MailOutcome {
  const { code = "UNKNOWN", responseCode = null } = error;
  // A wrong password is the operator's to correct, and then the email can still be sent.
  const permanent = error.permanent === true && (code === "EENVELOPE" || code === "EMESSAGE");
  return {
    result: "failed",
    permanent,
    code,
    responseCode,
    reason: withoutSecrets(error.message, user, password),
  };
}

function withoutSecrets(message: string, user: string | null, password: string | null): string {
  const secrets = [password, password && Buffer.from(`\0${user ?? ""}\0${password}`).toString("base64")];
  let text = message;
  for (const secret of secrets) if (secret) text = text.replaceAll(secret, "[removed]");
  return text.replace(/\s+/g, " ").slice(0, MAX_REASON);
}
