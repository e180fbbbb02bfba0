import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import type { VendorRequest } from "@/lib/adapters/transports/callback";
import { requireTwilioSignature, twilioSignature } from "@/lib/adapters/transports/twilio/twilio-signature";

/** The example of https://www.twilio.com/docs/usage/security#validating-requests and of Twilio's own libraries. */
const TOKEN = "12345";
const URL_OF_DOCS = "https://mycompany.com/myapp.php?foo=1&bar=2";
const FORM = {
  CallSid: "CA1234567890ABCDE",
  Digits: "1234",
  From: "+14158675309",
  To: "+18005551212",
  Caller: "+14158675309",
};
const SIGNATURE = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";

function request(url: string, signature: string, body = new URLSearchParams(FORM).toString()): VendorRequest {
  return { method: "POST", url, headers: { "x-twilio-signature": signature }, body: Buffer.from(body) };
}

test("the signature of Twilio's example is accepted, and any change of it refused", () => {
  expect(() => requireTwilioSignature(TOKEN, request(URL_OF_DOCS, SIGNATURE))).not.toThrow();
  for (const changed of [
    request(URL_OF_DOCS, SIGNATURE.replace("R", "r")),
    request(URL_OF_DOCS, ""),
    request(`${URL_OF_DOCS}&more=1`, SIGNATURE),
    request(URL_OF_DOCS, SIGNATURE, `${new URLSearchParams(FORM)}&More=1`),
  ]) {
    expect(() => requireTwilioSignature(TOKEN, changed)).toThrow(SignatureRefused);
  }
  expect(() => requireTwilioSignature("another", request(URL_OF_DOCS, SIGNATURE))).toThrow(SignatureRefused);
});

test("the URL is signed with or without its default port", () => {
  const withPort = "https://mycompany.com:443/myapp.php?foo=1&bar=2";
  const form = new Map(Object.entries(FORM).map(([name, value]) => [name, [value]]));
  const signed = twilioSignature(TOKEN, withPort, form);
  expect(() => requireTwilioSignature(TOKEN, request(URL_OF_DOCS, signed))).not.toThrow();
  expect(() => requireTwilioSignature(TOKEN, request(withPort, SIGNATURE))).not.toThrow();
});

test("repeated parameters are sorted and signed once per value", () => {
  const url = "https://mycompany.com/a";
  const sorted = twilioSignature(TOKEN, url, new Map([["MediaUrl", ["http://a", "http://b"]]]));
  const body = "MediaUrl=http%3A%2F%2Fb&MediaUrl=http%3A%2F%2Fa&MediaUrl=http%3A%2F%2Fb";
  expect(() => requireTwilioSignature(TOKEN, request(url, sorted, body))).not.toThrow();
});

test("with bodySHA256 the body is signed by its hash, as in Twilio's example", () => {
  const body = '{"property": "value", "boolean": true}';
  const hash = "0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620";
  expect(createHash("sha256").update(body).digest("hex")).toBe(hash);
  const url = `${URL_OF_DOCS}&bodySHA256=${hash}`;
  expect(() =>
    requireTwilioSignature(TOKEN, request(url, "a9nBmqA0ju/hNViExpshrM61xv4=", body)),
  ).not.toThrow();
  const changed = request(url, "a9nBmqA0ju/hNViExpshrM61xv4=", `${body} `);
  expect(() => requireTwilioSignature(TOKEN, changed)).toThrow(SignatureRefused);
});
