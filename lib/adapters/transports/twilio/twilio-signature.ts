import "server-only";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import type { VendorRequest } from "@/lib/adapters/transports/callback";

/** The parameters of a form. A name may occur several times. */
type Parameters = ReadonlyMap<string, readonly string[]>;

/**
 * Checks Twilio's signature of a request (https://www.twilio.com/docs/usage/security): the base64 HMAC-SHA1 of the URL
 * and the sorted parameters of the form. With `bodySHA256` in the URL, the parameters are not signed, and the value is
 * the SHA-256 of the body. Twilio signs the URL with or without its default port. Throws SignatureRefused.
 */
export function requireTwilioSignature(authToken: string, request: VendorRequest): void {
  const given = request.headers["x-twilio-signature"] ?? "";
  const bodyHash = new URL(request.url).searchParams.get("bodySHA256");
  if (bodyHash !== null && !isEqual(createHash("sha256").update(request.body).digest("hex"), bodyHash)) {
    throw new SignatureRefused();
  }
  const parameters = bodyHash === null ? parseForm(request.body) : new Map();
  const isValid = urlsOf(request.url).some((url) =>
    isEqual(twilioSignature(authToken, url, parameters), given),
  );
  if (!isValid) throw new SignatureRefused();
}

/** The signature of a URL and the parameters of a form. */
export function twilioSignature(authToken: string, url: string, parameters: Parameters): string {
  const signed = [...parameters.keys()].sort().reduce((text, name) => {
    const values = [...new Set(parameters.get(name))].sort();
    return text + values.map((value) => name + value).join("");
  }, url);
  return createHmac("sha1", authToken).update(signed, "utf8").digest("base64");
}

/** The parameters of a form's body. */
export function parseForm(body: Uint8Array): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(Buffer.from(body).toString("utf8"))) {
    parameters.set(name, [...(parameters.get(name) ?? []), value]);
  }
  return parameters;
}

/** The URL as it is, without a default port, and with it. */
function urlsOf(url: string): string[] {
  const { protocol, host, port, pathname, search, username, password } = new URL(url);
  const login = username === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`;
  const start = `${protocol}//${login}`;
  const rest = `${pathname}${search}`;
  const defaultPort = protocol === "https:" ? 443 : 80;
  const withPort = port === "" ? `${host}:${defaultPort}` : host;
  const withoutPort = host.replace(/:\d+$/, "");
  return [url, `${start}${withPort}${rest}`, `${start}${withoutPort}${rest}`];
}

function isEqual(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
