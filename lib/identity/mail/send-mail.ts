import "server-only";
import { hostname } from "node:os";
import type { NodemailerError } from "nodemailer";
import type { RenderedMail } from "@/lib/identity/mail/render-mail";
import { dashboardUrl, env } from "@/lib/platform/env";
import { needsSmtpUtf8 } from "@/lib/platform/text/email-address";
import { parseSender, parseSmtpUrl, type SmtpServer } from "@/lib/platform/text/mail-settings";

const ATTEMPT_MS = 60_000;
const CHECK_MS = 10_000;
const MAX_REASON = 300;

/**
 * The result of one attempt. `permanent`: the server refused this recipient or this message, so another attempt gets the
 * same answer. A refusal of Trunkline itself (its name, its address, its credentials) is not: the operator can end it.
 */
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
    return failureOf(error as NodemailerError, server, recipient);
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
    ...(secure || requireTls ? {} : { opportunisticTLS: true, tls: { rejectUnauthorized: false } }),
    ...(user === null ? {} : { auth: { user, pass: password ?? "" } }),
    name: heloName(hostname()),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

// Servers refuse a name without a dot (Postfix: reject_non_fqdn_helo_hostname). An address literal is always allowed.
function heloName(host: string): string {
  return /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(host) ? host : "[127.0.0.1]";
}

function failureOf(error: NodemailerError, { user, password }: SmtpServer, recipient: string): MailOutcome {
  const { code = "UNKNOWN", responseCode = null } = error;
  const hint = isRefusedScript(error, recipient)
    ? ". The mail server does not accept addresses with such letters before the @ (SMTPUTF8)"
    : "";
  return {
    result: "failed",
    permanent: isFinal(error),
    code,
    responseCode,
    reason: withoutSecrets(error.message, user, password) + hint,
  };
}

function isRefusedScript({ code, responseCode }: NodemailerError, recipient: string): boolean {
  return code === "EENVELOPE" && (responseCode ?? 0) >= 500 && needsSmtpUtf8(recipient);
}

/** Enhanced status codes (RFC 3463) of the recipient: its mailbox or its domain. 5.1.7 and 5.1.8 are of the sender. */
const OF_RECIPIENT = /\b5\.(?:1\.(?:0|1|2|3|4|6|9|10)|2\.\d+|6\.7)\b/;
const ENHANCED = /^\d{3}[ -]\d\.\d+\.\d+\b/;
/** Replies to a recipient that name the client, the sender or the credentials instead. */
const OF_CLIENT =
  /relay|authenti|\bhelo\b|\behlo\b|sender|client|policy|denied|blocked|block ?list|black ?list|spam|\btls\b/i;

/**
 * Whether the server refused the recipient or the message. Postfix, for example, reports a name that it does not accept,
 * and relaying that it does not allow, as the reply to the recipient.
 */
function isFinal({ permanent, code, command, response = "" }: NodemailerError): boolean {
  if (permanent !== true) return false;
  if (code === "EMESSAGE") return true;
  if (code !== "EENVELOPE" || command !== "RCPT TO") return false;
  if (ENHANCED.test(response)) return OF_RECIPIENT.test(response) && !/sender address/i.test(response);
  return /^55[0-6]/.test(response) && !OF_CLIENT.test(response);
}

function withoutSecrets(message: string, user: string | null, password: string | null): string {
  const secrets = [password, password && Buffer.from(`\0${user ?? ""}\0${password}`).toString("base64")];
  let text = message;
  for (const secret of secrets) if (secret) text = text.replaceAll(secret, "[removed]");
  return text.replace(/\s+/g, " ").slice(0, MAX_REASON);
}
