import "server-only";
import { EMAIL_ADDRESS, toAsciiDomain } from "@/lib/platform/text/email-address";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const SENDER = /^(?:([^<>\r\n]*)<([^<>\s]+)>|([^<>\s]+))$/;

/** A connection to a mail server, as SMTP_URL names it. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise the connection is upgraded with STARTTLS. */
  secure: boolean;
  /**
   * A server without STARTTLS, or with a certificate that is not valid, is refused, because the password or the mail would
   * be readable on the way.
   */
  requireTls: boolean;
  user: string | null;
  password: string | null;
}

/** A sender: the name, which may be empty, and the address. */
export interface Sender {
  name: string;
  address: string;
}

export function isSmtpUrl(text: string): boolean {
  return parseSmtpUrl(text) !== null;
}

export function isSender(text: string): boolean {
  return parseSender(text) !== null;
}

/**
 * Reads `smtp://` (port 587, STARTTLS) or `smtps://` (port 465). STARTTLS is required with a password, except on this
 * machine, and always with `?tls=required`. Otherwise it is used if the server offers it, whatever its certificate (RFC
 * 7435): an encrypted connection to an unknown server is better than a readable one. Returns null for other URLs.
 */
export function parseSmtpUrl(text: string): SmtpServer | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const secure = url.protocol === "smtps:";
  if ((!secure && url.protocol !== "smtp:") || url.hostname === "") return null;
  const tls = url.searchParams.get("tls");
  if (tls !== null && tls !== "required") return null;
  const user = decode(url.username);
  const password = decode(url.password);
  if (user === undefined || password === undefined) return null;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTls: !secure && (tls === "required" || (password !== null && !LOOPBACK.test(url.hostname))),
    user,
    password,
  };
}

// null = absent, undefined = not decodable.
function decode(text: string): string | null | undefined {
  try {
    return text === "" ? null : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Reads `name <address>` or an address. Returns null for other texts. */
export function parseSender(text: string): Sender | null {
  const [, name = "", inBrackets, bare] = SENDER.exec(text.trim()) ?? [];
  const address = toAsciiDomain(inBrackets ?? bare ?? "");
  return EMAIL_ADDRESS.test(address) ? { name: name.trim().replace(/^"(.*)"$/, "$1"), address } : null;
}
