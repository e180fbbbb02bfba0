import { HOSTILE_BODIES, HOSTILE_JSON, HOSTILE_TEXTS } from "../../../lib/testing/samples/hostile-values.ts";
import { replaceAtRandom, sampleSchema } from "./sample-schema.mjs";

const METHODS = ["GET", "GET", "POST", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const TYPES = [
  "application/json",
  "application/json; charset=utf-16",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  ";;;",
];
const ACCEPTS = ["*/*", "application/json", "text/html,application/xhtml+xml", "text/event-stream", ""];
const PAGES = [
  "/",
  "/docs",
  "/docs/error/codes",
  "/sign-in",
  "/chats",
  "/nothing/here",
  "/_next/static/none.js",
  "/_next/image?url=/docs&w=64&q=75",
  "/_next/image?url=/%00&w=640&q=75",
  "/_next/data/x/index.json",
  "/_global-error",
  "/_error",
  "/500",
  "/index.rsc",
  "/docs?_rsc=x&__nextLocale=zz&__nextDataReq=1",
  "/docs/guides/webhooks/events/__proto__",
  "/welcome/none",
];
const SIGN_IN = ["callback/credentials", "signin/oidc", "callback/oidc", "signout", "session", "_log", "x"];
const SIGN_IN_QUERIES = ["", "?callbackUrl=%00", "?callbackUrl=http://[", "?error=%zz", "?callbackUrl=/docs"];
const SIGN_IN_BODIES = [
  ["application/json", "{"],
  ["application/json", "[]"],
  ["application/json", '{"callbackUrl":5,"csrfToken":{}}'],
  ["application/x-www-form-urlencoded", "callbackUrl=%00&json=true"],
  ["application/x-www-form-urlencoded", "email=a%40b.test&password=x&csrfToken=x&json=true"],
  ["text/plain", "x"],
];
/** Headers of the dashboard's client-side navigation, valid and invalid. */
const NAVIGATION = [
  ["RSC: 1"],
  ["RSC: 1", "Next-Router-State-Tree: {"],
  ["RSC: 1", "Next-Router-State-Tree: %5B1%2C2%2C3%5D"],
  ["RSC: 1", "Next-Router-Prefetch: 1", "Next-Router-State-Tree: null"],
  ["RSC: 1", "Next-Router-Prefetch: 1", "Next-Router-Segment-Prefetch: /../x"],
  ["Next-Router-State-Tree: %zz"],
  ["Next-Url: /%zz", "X-Forwarded-Host: :::", "X-Forwarded-Proto: zz"],
  ["x-invoke-status: 500", "x-middleware-prefetch: 1", "x-nextjs-data: 1"],
  ["If-None-Match: *", "Range: bytes=9-1"],
];
const COOKIES = [
  "Cookie: trunkline_session=%zz; trunkline_account=%00",
  "Cookie: next-auth.callback-url=::::; next-auth.csrf-token=%zz; next-auth.state=x",
  "Cookie: __prerender_bypass=x; __next_preview_data=y; NEXT_LOCALE=%zz",
  "Cookie: =;=;;;",
];
const ACTIONS = [
  ["Next-Action: 40deadbeef"],
  ["Next-Action: __proto__", "Origin: ::::"],
  ["Next-Action: 00aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "Origin: http://elsewhere.test"],
];
const BAD_PATHS = [
  "/%",
  "/%zz",
  "/%00",
  "/docs\\x",
  "/v3\\chats",
  "//",
  "/v3//chats",
  "/../etc",
  "/api/auth/%ff",
];
const MARK = "the hostile value stands here";
const MULTIPART = [
  '--x\r\nContent-Disposition: form-data; name="$ACTION_ID_40deadbeef"\r\n\r\n\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="0"\r\n\r\n"$@1"\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
  "--x\r\n\r\n",
  "--y--",
];

/**
 * Creates random requests as bytes for `paths` (with parameters as `{name}` or `:name`) and the operations of
 * `openapi`. `known`: values that exist. `identities`: headers that authenticate a caller, including [].
 */
export function createRequestMaker({ random, paths, openapi, known, identities }) {
  const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const kinds = [operationRequest, operationRequest, anyRequest, anyRequest, pageRequest, rawRequest];
  return () => random.pick(kinds)();

  function fill(path) {
    return path.replace(/\{\w+\}|:\w+(\{[^}]*\})?/g, () =>
      random.chance(0.6) ? encodeURIComponent(random.pick(known)) : random.pick(HOSTILE_TEXTS),
    );
  }

  /** An API operation whose body is valid except in one place. */
  function operationRequest() {
    const { path, method, operation } = random.pick(operations);
    const schema = operation.requestBody?.content?.["application/json"]?.schema;
    const query = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === "query" && random.chance(0.4))
      .map(({ name }) => `${name}=${random.chance(0.5) ? random.pick(known) : random.pick(HOSTILE_TEXTS)}`);
    const target = fill(path) + (query.length === 0 ? "" : `?${query.join("&")}`);
    if (schema === undefined) return request(method, target, random.pick(identities));
    const sample = sampleSchema(schema, { components: openapi.components, random, known });
    const [before, after = ""] = JSON.stringify(replaceAtRandom(sample, MARK, random)).split(
      JSON.stringify(MARK),
    );
    const value = random.chance(0.2) ? '"x"' : random.pick(HOSTILE_JSON);
    const headers = [...random.pick(identities), "Content-Type: application/json"];
    return request(method, target, headers, `${before}${value}${after}`);
  }

  /** Any method on any route with any body. */
  function anyRequest() {
    const method = random.pick(METHODS);
    const query = random.chance(0.4) ? `?session=${random.pick(HOSTILE_TEXTS)}` : "";
    const headers = [...random.pick(identities), `Accept: ${random.pick(ACCEPTS)}`];
    if (method === "GET" || method === "HEAD")
      return request(method, fill(random.pick(paths)) + query, headers);
    const type = random.pick(TYPES);
    const body = random.pick(type.startsWith("multipart") ? MULTIPART : HOSTILE_BODIES);
    return request(method, fill(random.pick(paths)) + query, [...headers, `Content-Type: ${type}`], body);
  }

  function pageRequest() {
    const path = random.chance(0.5) ? random.pick(PAGES) : random.pick(BAD_PATHS);
    const headers = [...random.pick(identities), `Accept: ${random.pick(ACCEPTS)}`];
    if (random.chance(0.2)) return signInRequest();
    if (random.chance(0.3)) headers.push(...random.pick(NAVIGATION));
    if (random.chance(0.1)) headers.push(random.pick(COOKIES));
    if (random.chance(0.6)) return request("GET", path, headers);
    const action = random.chance(0.3) ? random.pick(ACTIONS) : [];
    const type = `Content-Type: ${random.pick(TYPES)}`;
    return request(random.pick(METHODS), path, [...headers, ...action, type], random.pick(MULTIPART));
  }

  function signInRequest() {
    const path = `/api/auth/${random.pick(SIGN_IN)}${random.pick(SIGN_IN_QUERIES)}`;
    const headers = [`Accept: ${random.pick(ACCEPTS)}`];
    if (random.chance(0.3)) headers.push(random.pick(COOKIES));
    if (random.chance(0.4)) return request("GET", path, headers);
    const [type, body] = random.pick(SIGN_IN_BODIES);
    return request("POST", path, [...headers, `Content-Type: ${type}`], body);
  }

  /** A request that no client library would send. */
  function rawRequest() {
    const path = random.chance(0.5) ? random.pick(PAGES) : fill(random.pick(paths));
    const identity = random.pick(identities);
    return random.pick([
      () => head(`TRACE ${path} HTTP/1.1`, identity),
      () => head("CONNECT example.test:443 HTTP/1.1", identity),
      () => head("OPTIONS * HTTP/1.1", identity),
      () => head(`BREW ${path} HTTP/1.1`, identity),
      () => head(`GET ${path} HTTP/1.0`, [], ""),
      () => head(`GET ${path} HTTP/9.9`, identity),
      () => head(`GET ${path} HTTP/1.1`, identity, ""),
      () => head(`GET ${path} HTTP/1.1`, identity, "Host: a\r\nHost: b"),
      () => head(`GET ${path} HTTP/1.1`, identity, "Host: <a b>"),
      () => head(`GET ${path.slice(1)} HTTP/1.1`, identity),
      () => head(`GET http://example.test${path} HTTP/1.1`, identity),
      () => head(`GET ${path}?${"a".repeat(20_000)} HTTP/1.1`, identity),
      () => head(`GET ${path}\\x HTTP/1.1`, identity),
      () => head(`GET ${path} HTTP/1.1`, [...identity, `X-Long: ${"a".repeat(40_000)}`]),
      () => head(`GET ${path} HTTP/1.1`, [...identity, "no colon"]),
      () => head(`GET ${path} HTTP/1.1`, [...identity, "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"]),
      () => head(`GET ${path} HTTP/1.1`, [...identity, "Upgrade: websocket", "Sec-WebSocket-Version: 13"]),
      () => head(`GET ${path} HTTP/1.1`, [...identity, "Expect: tea"]),
      () => `${head(`POST ${path} HTTP/1.1`, [...identity, "Expect: 100-continue", "Content-Length: 2"])}{}`,
      () => head(`POST ${path} HTTP/1.1`, [...identity, "Content-Length: abc"]),
      () => head(`POST ${path} HTTP/1.1`, [...identity, "Content-Length: 1", "Content-Length: 2"]),
      () => head(`POST ${path} HTTP/1.1`, [...identity, "Content-Length: 1", "Transfer-Encoding: chunked"]),
      () => head(`POST ${path} HTTP/1.1`, [...identity, "Content-Length: 9999999999"]),
      () => `${head(`POST ${path} HTTP/1.1`, [...identity, "Transfer-Encoding: chunked"])}zz\r\nx`,
      () => `${head(`POST ${path} HTTP/1.1`, [...identity, "Transfer-Encoding: tea"])}x`,
      () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      () => "\x16\x03\x01\x02\0hello\r\n\r\n",
      () => "\r\n\r\n\0\0\0\r\n\r\n",
    ])();
  }
}

function head(line, headers, host = "Host: 127.0.0.1") {
  return [line, ...(host === "" ? [] : [host]), "Connection: close", ...headers, "", ""].join("\r\n");
}

function request(method, target, headers, body) {
  const line = `${method} ${target} HTTP/1.1`;
  if (body === undefined) return head(line, headers);
  return head(line, [...headers, `Content-Length: ${Buffer.byteLength(body)}`]) + body;
}
