// The part before the @ can have letters of any script (RFC 6531). The domain is in its ASCII form.
const LOCAL = String.raw`(?!\.)(?!.*\.\.)[\p{L}\p{M}\p{N}_'+\-.]*[\p{L}\p{M}\p{N}_+\-]`;
const DOMAIN = String.raw`([A-Za-z0-9]([A-Za-z0-9\-]*[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9\-]*[A-Za-z0-9]`;

/** An email address whose domain is in ASCII, as `toAsciiDomain` returns it. */
export const EMAIL_ADDRESS = new RegExp(`^${LOCAL}@${DOMAIN}$`, "u");

/**
 * Converts the domain of an email address to its ASCII form (`müller.example` to `xn--mller-kva.example`), which every
 * mail server understands. The part before the @ gets its composed form. Returns other texts unchanged.
 */
export function toAsciiDomain(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  if (at < 1 || !/[^\0-\x7f]/.test(address) || /[\s/?#:@\\[\]]/.test(domain)) return address;
  const url = URL.parse(`http://${domain}`);
  return url === null ? address : `${address.slice(0, at).normalize("NFC")}@${url.hostname}`;
}

/** Whether only servers with SMTPUTF8 (RFC 6531) can deliver to an address. */
export function needsSmtpUtf8(address: string): boolean {
  return /[^\0-\x7f]/.test(address.slice(0, address.lastIndexOf("@")));
}
