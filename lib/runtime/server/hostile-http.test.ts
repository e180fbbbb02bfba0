import "@/lib/testing/use-test-database";

import { once } from "node:events";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { serveApi } from "@/lib/testing/serve-api";

let api: Awaited<ReturnType<typeof serveApi>>;
let token = "";

beforeAll(async () => {
  api = await serveApi();
  token = (await createTestAccount({ type: "production" })).token;
});
afterAll(() => api.close());

/** Writes bytes to the server. Returns all output until the server closes the connection. */
function say(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.port, "127.0.0.1", () => socket.write(bytes));
    const received: Buffer[] = [];
    socket.on("data", (chunk) => received.push(chunk));
    // The server may close the connection during the write; the output until then counts.
    socket.on("error", () => resolve(Buffer.concat(received).toString()));
    socket.on("close", () => resolve(Buffer.concat(received).toString()));
    socket.setTimeout(10_000, () => reject(new Error("the server neither answered nor closed")));
  });
}

function head(line: string, ...headers: string[]): string {
  return bare(`${line} HTTP/1.1`, "Host: trunkline.test", ...headers);
}

/** A request head with only the given headers and the token. */
function bare(line: string, ...headers: string[]): string {
  return [line, `Authorization: Bearer ${token}`, "Connection: close", ...headers, "", ""].join("\r\n");
}

function post(body: string | Buffer, ...headers: string[]): Buffer {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return Buffer.concat([Buffer.from(head("POST /v3/chats", length, ...headers)), Buffer.from(body)]);
}

function signIn(body: string, ...headers: string[]): string {
  return `${head("POST /api/auth/callback/credentials", `Content-Length: ${body.length}`, ...headers)}${body}`;
}

const JSON_TYPE = "Content-Type: application/json";
const FORM_TYPE = "Content-Type: multipart/form-data; boundary=x";
const EMPTY = "Content-Length: 0";
// 100 MB of zeros, compressed to about 100 KB.
const BOMB = gzipSync(Buffer.alloc(100 * 1024 * 1024));

test.each<[what: string, status: number, bytes: () => string | Buffer]>([
  ["a path with bad percent-encoding", 400, () => head("GET /v3/chats/%zz")],
  ["a path with bytes that are no UTF-8", 400, () => head("GET /v3/chats/%ff%fe")],
  ["a path with an encoded NUL", 400, () => head("GET /v3/chats/%00")],
  ["a path with an encoded slash", 400, () => head("GET /v3/chats/..%2f..%2fetc")],
  ["a path with dots", 404, () => head("GET /v3/./nothing")],
  ["a path with an empty segment", 404, () => head("GET /v3//chats")],
  ["a query that is bad percent-encoding", 400, () => head("GET /v3/chats?limit=%zz%")],
  ["a query of 1 MB", 400, () => head(`GET /v3/chats?cursor=${"a".repeat(1024 * 1024)}`)],
  ["a query of 10,000 names", 400, () => head(`GET /v3/chats?${"a=1&".repeat(3000)}limit=x`)],
  ["a header of 1 MB", 400, () => head("GET /v3/chats", `X-Long: ${"a".repeat(1024 * 1024)}`)],
  [
    "2000 headers",
    400,
    () => head("GET /v3/chats", ...Array.from({ length: 2000 }, (_, i) => `X-${i}: aaaa`)),
  ],
  ["a header that is none", 400, () => head("GET /v3/chats", "no colon here")],
  ["an unknown method", 400, () => head("BREW /v3/chats")],
  ["a method that is not served", 405, () => head("PUT /v3/chats")],
  ["no HTTP at all", 400, () => "\x16\x03\x01\x02\0hello\r\n\r\n"],
  ["a length that is no number", 400, () => head("POST /v3/chats", JSON_TYPE, "Content-Length: abc")],
  ["a negative length", 400, () => head("POST /v3/chats", JSON_TYPE, "Content-Length: -1")],
  ["two lengths", 400, () => head("POST /v3/chats", "Content-Length: 1", "Content-Length: 2")],
  [
    "a length and chunks",
    400,
    () => head("POST /v3/chats", "Content-Length: 1", "Transfer-Encoding: chunked"),
  ],
  ["chunks that are none", 400, () => `${head("POST /v3/chats", "Transfer-Encoding: chunked")}zz\r\nhello`],
  ["a length of 9 GB", 400, () => head("POST /v3/chats", JSON_TYPE, "Content-Length: 9999999999")],
  ["5 MB where 4 are taken", 400, () => post("x".repeat(5 * 1024 * 1024), JSON_TYPE)],
  ["a zip bomb said to be gzip", 415, () => post(BOMB, JSON_TYPE, "Content-Encoding: gzip")],
  ["a zip bomb said to be JSON", 400, () => post(BOMB, JSON_TYPE)],
  [
    "JSON in UTF-16",
    400,
    () => post(Buffer.from('{"to":[]}', "utf16le"), "Content-Type: application/json; charset=utf-16"),
  ],
  ["a form", 400, () => post("to=%2B1&message=x", "Content-Type: application/x-www-form-urlencoded")],
  [
    "a multipart form",
    400,
    () => post("--x\r\n\r\n1\r\n--x--", "Content-Type: multipart/form-data; boundary=x"),
  ],
  ["a content type that is none", 400, () => post("{}", "Content-Type: ;;;")],
  ["TRACE", 405, () => head("TRACE /v3/chats")],
  ["TRACE of a page", 405, () => head("TRACE /docs")],
  ["CONNECT", 405, () => head("CONNECT example.com:443")],
  ["OPTIONS *", 405, () => head("OPTIONS *")],
  ["a target that is no path", 400, () => head("GET v3/chats")],
  ["no Host", 400, () => bare("GET /v3/chats HTTP/1.1")],
  ["no Host, in HTTP/1.0", 400, () => bare("GET /v3/chats HTTP/1.0")],
  ["an empty Host", 400, () => bare("GET /v3/chats HTTP/1.1", "Host:")],
  ["a Host that is none", 400, () => bare("GET /v3/chats HTTP/1.1", "Host: a b<c>")],
  ["a Host with a port that is none", 400, () => bare("GET /v3/chats HTTP/1.1", "Host: a:99999")],
  ["two Hosts", 400, () => bare("GET /v3/chats HTTP/1.1", "Host: a", "Host: b")],
  ["a backslash in a path", 400, () => head("GET /v3\\chats")],
  ["a backslash in the path of a page", 400, () => head("GET /docs\\errors")],
  ["bad percent-encoding in the path of a page", 400, () => head("GET /docs/%zz")],
  ["an encoded NUL in the path of a page", 400, () => head("GET /docs/%00")],
  ["a page that is none", 404, () => head("GET /nothing/here")],
  ["a post to a page", 405, () => head("POST /docs", "Content-Length: 0")],
  ["a private route that is none", 404, () => head("GET /api/nothing")],
  ["a method that a private route does not serve", 405, () => head("DELETE /api/home")],
  ["a multipart form, for a page", 405, () => head("POST /sign-in", FORM_TYPE, "Content-Length: 9")],
  ["a server action", 405, () => head("POST /sign-in", "Next-Action: 40deadbeef", "Content-Length: 2")],
  ["a server action for no page", 405, () => head("POST /nothing", "Next-Action: x", "Content-Length: 2")],
  ["a server action for the sign-in's routes", 404, () => head("POST /api/auth/x", "Next-Action: x", EMPTY)],
  ["a sign-in whose JSON is broken", 400, () => signIn("{", JSON_TYPE)],
  ["a sign-in whose JSON is no object", 400, () => signIn("[]", JSON_TYPE)],
  ["a sign-in with a field that is no text", 400, () => signIn('{"callbackUrl":5}', JSON_TYPE)],
  ["a sign-in that is not posted", 405, () => head("GET /api/auth/callback/credentials?error=x")],
  ["a sign-in that goes on to no URL", 400, () => signIn("callbackUrl=%00")],
  ["a sign-in that goes on to another scheme", 400, () => head("GET /api/auth/csrf?callbackUrl=file:///x")],
  ["a sign-in with a cookie that is no URL", 400, () => signIn("a=1", "Cookie: next-auth.callback-url=::::")],
  ["an unknown expectation", 417, () => head("GET /v3/chats", "Expect: tea")],
  ["a preface of HTTP/2", 400, () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  [
    "a post to Stripe's webhooks without Stripe",
    404,
    () => head("POST /inbound/stripe", "Content-Length: 9"),
  ],
  ["the same for cards", 404, () => head("POST /inbound/stripe/issuing", "Content-Length: 9")],
])("%s is %d in the envelope", async (_, status, bytes) => {
  const said = await say(bytes());
  const [headers = "", ...body] = said.split("\r\n\r\n");
  expect(headers).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const json = body.join("\r\n\r\n").match(/\{[\s\S]*\}/)?.[0] ?? "";
  expect(JSON.parse(json)).toMatchObject({
    success: false,
    error: { status, code: expect.any(Number), message: expect.any(String), doc_url: expect.any(String) },
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

test.each(["h2c", "websocket", "tea"])(
  "an upgrade to %s is answered as HTTP/1.1, also after a page was opened",
  async (protocol) => {
    await fetch(`${api.baseUrl}/docs`);
    const said = await say(
      bare(
        "GET /v3/phone_numbers HTTP/1.1",
        "Host: a",
        `Upgrade: ${protocol}`,
        "HTTP2-Settings: AAMAAABkAAQAAP__",
      ).replace("Connection: close", "Connection: Upgrade, HTTP2-Settings, close"),
    );
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
  },
);

test("a request in absolute form is answered as the path it names", async () => {
  const said = await say(head("GET http://elsewhere.test:80/v3/phone_numbers?x=1"));
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
});

test("Expect: 100-continue is answered with 100, and then the body is read", async () => {
  const type = ["Content-Type: application/json", "Content-Length: 2"];
  const said = await say(`${head("POST /v3/chats", ...type, "Expect: 100-continue")}{}`);
  expect(said).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
});

test("a body that is refused by its length is not asked for", async () => {
  const said = await say(head("POST /v3/chats", "Content-Length: 999999999", "Expect: 100-continue"));
  expect(said).toMatch(/^HTTP\/1\.1 400 /);
});

// These requests have no token, session or signature, so anyone can send them.
test.each([
  "POST /pay/trunkline/attempt",
  "POST /pay/trunkline/open?session=x",
  "POST /vault/charges",
  "POST /wallet/provider",
  "POST /wallet/attach/x",
  "POST /wallet/attach/x/passkey",
  "POST /wallet/approve/x",
  "POST /inbound/stripe",
  "POST /simulator/phones",
  "POST /api/chats",
  "POST /api/auth/callback/credentials",
  "PUT /api/attachments/01a00000-0000-7000-8000-000000000000/content",
  "POST /v3/chats",
])("%s reads no more than its limit of an endless body", async (what) => {
  const socket = connect(api.port, "127.0.0.1");
  const received: Buffer[] = [];
  socket.on("data", (chunk) => received.push(chunk));
  socket.on("error", () => undefined);
  socket.write(`${what} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const block = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(0x100000, 120), Buffer.from("\r\n")]);
  const closed = once(socket, "close");
  let sentMb = 0;
  while (!socket.closed && sentMb < 1024) {
    await Promise.race([new Promise((written) => socket.write(block, written)), closed]);
    sentMb += 1;
  }
  expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(sentMb).toBeLessThan(1024);
});

test("afterwards the server answers as before", async () => {
  const answer = await fetch(`${api.baseUrl}/v3/chats`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
});
