import { expect, test } from "vitest";
import { redactPath, redactSecrets } from "@/lib/request-log/store/redact-secrets";
import { MAX_STORED_BYTES, toStoredBody, truncateBody } from "@/lib/request-log/store/stored-body";

const CARD = "4242424242424242";
const SECRET = "hush-hush";
/** The account, payment and signature of a wallet link. */
const LINK = `019ca9c2-4c08-7cb9-9188-b4f506172839.019ca9c2-4c09-7dca-8299-c5061728394a.${"aB3_-".repeat(8)}xyz`;

test.each([
  "token",
  "user_token",
  "secret",
  "signing_secret",
  "client_secret",
  "password",
  "code",
  "connect_id",
  "Authorization",
  "card_cvc_token",
  "cvc",
])("the value of the key %s is replaced, whatever it is", (key) => {
  for (const value of [`"${SECRET}"`, `{"a":["${SECRET}",{"b":"${SECRET}"}]}`, `["${SECRET}"]`]) {
    const clean = redactSecrets(`{"kept":1,"${key}" : ${value},"also":"kept"}`, "request");
    expect(clean).not.toContain(SECRET);
    expect(JSON.parse(clean)).toEqual({ kept: 1, [key]: "[redacted]", also: "kept" });
  }
});

test.each([
  `{"token":"${SECRET}`,
  `{"token":"${SECRET}", "x`,
  `{"tok\\u0065n":"${SECRET}"}`,
  `{token: ${SECRET}}`,
  `{'token': '${SECRET} ${SECRET}'}`,
  `token=${SECRET}&x=1`,
  `x=1&client%5Fsecret=${SECRET}`,
  `password=a\\${SECRET}`,
  `{"message":"Unexpected token 't', \\"token=${SECRET}&x=\\"... is not valid JSON"}`,
  `{"secret":{"deep":["${SECRET}"`,
  `{"message":"not JSON: {\\"password\\": \\"${SECRET}\\"}"}`,
  `{"message":"near \\"token\\": \\"${SECRET}"}`,
  `Authorization: Bearer ${SECRET}`,
  `["tl_sandbox_${"a1".repeat(19)}${SECRET}"]`,
  `{"attach_url":"https://checkout.example/wallet/attach/tlpay_${"a1".repeat(12)}${SECRET}"}`,
  `["tlpay_${"a1".repeat(12)}-_${SECRET}"]`,
])("no secret of %s remains", (text) => {
  expect(redactSecrets(text, "request")).not.toContain(SECRET);
  expect(redactSecrets(text, "request")).not.toContain("a1a1a1");
});

test.each([
  `{"number":"${CARD}"}`,
  `{"number":${CARD}}`,
  `{"text":"pay with 4242 4242 4242 4242, thanks"}`,
  `{"text":"pay with 4242-4242-4242-4242."}`,
  `{"text":"amex 378282246310005"}`,
  `{"text":"\\u0034242424242424242"}`,
  CARD,
])("a card number is replaced in %s", (text) => {
  const clean = redactSecrets(text, "request");
  expect(clean).toContain("[redacted]");
  expect(clean).not.toMatch(/4242|3782822/);
  if (text !== CARD) expect(JSON.parse(clean)).toBeDefined();
});

test.each([
  '{"to":["+4917612345678904"],"from":"+15550100001"}',
  '{"id":"01234567-8901-7234-8567-890123456789"}',
  '{"idempotency_key":"4242424242424243"}',
  '{"parts":[{"type":"text","value":"My password is in the text, code 1234: content"}]}',
  "not json at all",
  "",
])("%s stays as it is", (text) => {
  expect(redactSecrets(text, "request")).toBe(text);
});

test("the user name and the password of a URL are not kept", () => {
  const kept = redactSecrets('{"merchant":{"url":"https://ann:s3cr@shop.example/a?b=c@d"}}', "request");
  expect(JSON.parse(kept).merchant.url).toBe("https://[redacted]@shop.example/a?b=c@d");
});

test("an error's own code stays, a one-time code never does", () => {
  const error = '{"success":false,"error":{"status":400,"code":1005,"message":"no"}}';
  expect(redactSecrets(error, "answer")).toBe(error);
  expect(redactSecrets('{"code":"1005"}', "answer")).toBe('{"code":"[redacted]"}');
  expect(redactSecrets('{"code":1005}', "request")).toBe('{"code":"[redacted]"}');
});

test("only the secrets of a path's query are removed", () => {
  expect(redactPath(`/v3/chats?limit=5&token=${SECRET}&from=%2B15550100001`)).toBe(
    "/v3/chats?limit=5&token=[redacted]&from=%2B15550100001",
  );
  expect(redactPath(`/v3/cards/${CARD}`)).toBe("/v3/cards/[redacted]");
});

test.each(["x", "é", "漢", "🦊"])("the kept part of %s ends at 8 KB with a whole character", (character) => {
  for (const pad of ["", "a", "aa", "aaa"]) {
    const text = `${pad}${character.repeat(20_000)}`;
    const kept = toStoredBody(truncateBody(text), "request").toString();
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(MAX_STORED_BYTES);
    expect(Buffer.byteLength(kept)).toBeGreaterThan(MAX_STORED_BYTES - 4);
    expect(text.startsWith(kept)).toBe(true);
  }
});

test("a card number or secret across the end of what is kept does not survive in part", () => {
  for (let before = MAX_STORED_BYTES - 40; before <= MAX_STORED_BYTES + 300; before += 7) {
    const padding = "x ".repeat(before / 2);
    const long = " tail".repeat(2000);
    const card = toStoredBody(truncateBody(`${padding}4242 4242 4242 4242${long}`), "request");
    const secret = toStoredBody(
      truncateBody(`{"a":"${padding}","token":"${SECRET.repeat(2000)}"}`),
      "request",
    );
    expect([before, card.includes("4242"), secret.includes("hush")]).toEqual([before, false, false]);
  }
});

test.each([
  `{"attach_url":"https://a.example/wallet/attach/${LINK}"}`,
  `{"approval_url":"https:\\/\\/a.example\\/wallet\\/approve\\/${LINK}","x":1}`,
  `{"text":"open https://a.example/wallet/approve/${LINK}, please"}`,
  `{"next":"https%3A%2F%2Fa.example%2Fwallet%2Fattach%2F${LINK}"}`,
  `{"cut":"https://a.example/wallet/attach/${LINK.slice(0, 50)}`,
])("a wallet link is replaced in %s", (text) => {
  const clean = redactSecrets(text, "answer");
  expect(clean).toContain("[redacted]");
  expect(clean).not.toContain(LINK.slice(0, 40));
});

test("U+0000, which PostgreSQL cannot hold, is replaced", () => {
  expect(toStoredBody(truncateBody("a\0b"), "request").toString()).toBe("a\uFFFDb");
});

test("the token of a wallet link is replaced in a path", () => {
  const path = `/wallet/attach/tlpay_${"a1".repeat(16)}?from=chat`;
  expect(redactPath(path)).toBe("/wallet/attach/[redacted]?from=chat");
});

test.each([
  "passwd",
  "passphrase",
  "credentials",
  "private_key",
  "privatekey",
  "api_key",
  "apikey",
  "X-Api-Key",
  "private-key",
  "verification-code",
  "security_code_hash",
  "cookie",
  "otp",
  "pin",
  "pan",
  "cvv",
  "signature",
  "one_time_code",
  "verification_code",
  "security_code",
  "REFRESH_TOKEN",
])("the value of the key %s is replaced in a body, a form and a query", (key) => {
  expect(redactSecrets(`{"${key}":"${SECRET}"}`, "answer")).toBe(`{"${key}":"[redacted]"}`);
  expect(redactSecrets(`a=1&${key}=${SECRET}`, "request")).toBe(`a=1&${key}=[redacted]`);
  expect(redactPath(`/x?${key}=${SECRET}`)).toBe(`/x?${key}=[redacted]`);
});

test.each([
  "codes",
  "error_code_name",
  "spin",
  "pins",
  "company",
  "my_signature",
  "set_cookie_policy",
  "otpauth",
])("the value of the key %s stays", (key) => {
  const body = `{"${key}":"${SECRET}","token":"${SECRET}"}`;
  expect(redactSecrets(body, "request")).toBe(`{"${key}":"${SECRET}","token":"[redacted]"}`);
});

test("values after a secret stay, however deep the secret is", () => {
  const body = `{"secret":[[{"a":[1,2],"b":{}}],"${SECRET}"],"kept":[1,{"also":"kept"}],"n":{"token":1,"kept":2}}`;
  expect(redactSecrets(body, "request")).toBe(
    `{"secret":"[redacted]","kept":[1,{"also":"kept"}],"n":{"token":"[redacted]","kept":2}}`,
  );
  expect(redactSecrets(`{"a":{"token":true},"kept":"x"}`, "request")).toBe(
    `{"a":{"token":"[redacted]"},"kept":"x"}`,
  );
  expect(redactSecrets(`[{"token":null},"kept"]`, "request")).toBe(`[{"token":"[redacted]"},"kept"]`);
});

test("white space is kept, and a string that is no key is no key", () => {
  expect(redactSecrets(`{ "token" : "${SECRET}" , "kept" : [ "token" , "x" ] }`, "request")).toBe(
    `{ "token" :"[redacted]", "kept" : [ "token" , "x" ] }`,
  );
  expect(redactSecrets(`["token","${SECRET}"]`, "request")).toBe(`["token","${SECRET}"]`);
  expect(redactSecrets(`{"list":["token"],"kept":"x"}`, "request")).toBe(`{"list":["token"],"kept":"x"}`);
});

/** A card number of this length with a valid check digit. */
function cardOf(length: number): string {
  const digits = "4".padEnd(length - 1, "1");
  return [...Array(10).keys()].map((check) => `${digits}${check}`).find(hasCheckDigit) ?? "";
}

function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

test.each([12, 13, 14, 15, 16, 17, 18, 19, 20])(
  "a number of %i digits: a card number has 13 to 19",
  (length) => {
    const number = cardOf(length);
    const isCard = length >= 13 && length <= 19;
    expect(redactSecrets(`{"number":${number}}`, "request")).toBe(
      isCard ? `{"number":"[redacted]"}` : `{"number":${number}}`,
    );
    expect(redactSecrets(`{"text":"with ${number}!"}`, "request")).toBe(
      isCard ? `{"text":"with [redacted]!"}` : `{"text":"with ${number}!"}`,
    );
  },
);

test.each([
  `{"text":"+${CARD}"}`,
  `{"text":"a${CARD}"}`,
  `{"text":"${CARD}a"}`,
  `{"text":"${CARD}-1"}`,
  `{"text":"-${CARD}"}`,
  `{"text":"%2B${CARD}"}`,
  `{"text":"4242  4242 4242 4242"}`,
])("%s is no card number", (text) => {
  expect(redactSecrets(text, "request")).toBe(text);
});

test.each([
  [`{"text":"tl_sandbox_${"a".repeat(20)}"}`, `{"text":"[redacted]"}`],
  [`{"text":"tl_production_${"Z9".repeat(10)}, then"}`, `{"text":"[redacted], then"}`],
  [`{"text":"tl_sandbox_${"a".repeat(19)}"}`, null],
  [`{"text":"tl_other_${"a".repeat(20)}"}`, null],
  [`{"text":"xtl_sandbox_${"a".repeat(20)}"}`, null],
  [`{"text":"tlpay_${"a-_".repeat(7)}"}`, `{"text":"[redacted]"}`],
  [`{"text":"tlpay_${"a".repeat(19)}"}`, null],
  [`{"text":"whsec_abc+/=-_9"}`, `{"text":"[redacted]"}`],
  [`{"text":"Bearer   ${SECRET} x"}`, `{"text":"[redacted] x"}`],
  [`{"text":"bearer of news"}`, null],
])("a bare secret in %s", (text, clean) => {
  expect(redactSecrets(text, "answer")).toBe(clean ?? text);
});

test("an error code is four digits under code, in a response only", () => {
  expect(redactSecrets('{"code": 1005 }', "answer")).toBe('{"code": 1005 }');
  for (const value of ["100", "10055", "1005x", "[1005]", '"1005"']) {
    expect(redactSecrets(`{"code":${value}}`, "answer")).toBe('{"code":"[redacted]"}');
  }
  expect(redactSecrets('{"token":1005}', "answer")).toBe('{"token":"[redacted]"}');
});

test("an escaped string stays as it was written unless it holds a secret", () => {
  const text = String.raw`"a \u00e9 \"quoted\" line\n"`;
  expect(redactSecrets(`{"text":${text},"token":"${SECRET}"}`, "request")).toBe(
    `{"text":${text},"token":"[redacted]"}`,
  );
  const quoted = JSON.stringify({ text: `"${CARD}"`, echo: JSON.stringify({ token: SECRET, a: 1 }) });
  expect(JSON.parse(redactSecrets(quoted, "request"))).toEqual({
    text: '"[redacted]"',
    echo: '{"token":"[redacted]","a":1}',
  });
});

test("a path keeps what cannot be decoded", () => {
  expect(redactPath(`/x?%E0%A4%A=1&token=${SECRET}`)).toBe("/x?%E0%A4%A=1&token=[redacted]");
});

test.each([
  ["a key whose percent encoding is broken", "note=1&%zztoken=abcdef", `note=1&%zztoken=[redacted]`],
  ["a key in single quotes", "{'pin': 'abcd'}", `{'pin':"[redacted]"}`],
  ["a list under a secret key, and keeps what follows it", '{"token":[1] }', `{"token":"[redacted]" }`],
  [
    "an object under a secret key, and keeps the rest of a broken body",
    '{"secret":{"a":1} "b":2}',
    `{"secret":"[redacted]" "b":2}`,
  ],
  [
    "a card number in a string that is not valid JSON",
    '{"note":"bad \\x escape 4242424242424242"}',
    `{"note":"bad \\x escape [redacted]"}`,
  ],
  [
    "nothing in a number with more digits than a card",
    '{"n":00000004242424242424242}',
    '{"n":00000004242424242424242}',
  ],
])("redactSecrets removes %s", (_what, text, expected) => {
  expect(redactSecrets(text, "request")).toBe(expected);
});
