import "@/lib/testing/use-test-database";

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

/** Writes bytes to the server, and gives back all it says until it closes. */
function say(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.port, "127.0.0.1", () => socket.write(bytes));
    const heard: Buffer[] = [];
    socket.on("data", (chunk) => heard.push(chunk));
    // It may close while we still write: what it said until then counts.
    socket.on("error", () => resolve(Buffer.concat(heard).toString()));
    socket.on("close", () => resolve(Buffer.concat(heard).toString()));
    socket.setTimeout(10_000, () => reject(new Error("the server neither answered nor closed")));
  });
}

function head(line: string, ...headers: string[]): string {
  return [
    `${line} HTTP/1.1`,
    "Host: trunkline.test",
    `Authorization: Bearer ${token}`,
    "Connection: close",
    ...headers,
    "",
    "",
  ].join("\r\n");
}

function post(body: string | Buffer, ...headers: string[]): Buffer {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return Buffer.concat([Buffer.from(head("POST /v3/chats", length, ...headers)), Buffer.from(body)]);
}

const JSON_TYPE = "Content-Type: application/json";
// 100 MB of zeros in some 100 KB.
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
  ["a method nobody knows", 400, () => head("BREW /v3/chats")],
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
  ["a zip bomb said to be gzip", 400, () => post(BOMB, JSON_TYPE, "Content-Encoding: gzip")],
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

test("afterwards the server answers as before", async () => {
  const answer = await fetch(`${api.baseUrl}/v3/chats`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
});
