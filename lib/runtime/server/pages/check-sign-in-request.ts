import "server-only";
import type { IncomingMessage } from "node:http";
import { ApiError } from "@/lib/platform/errors/errors";
import { parseCookies } from "@/lib/runtime/http/parse-cookies";

const BASE = "http://localhost";
/** The size limit of a posted sign-in: a passkey's response with its attestation. */
export const SIGN_IN_LIMIT_BYTES = 16 * 1024;
const READ = "GET, HEAD";
/** The actions of the auth library that Trunkline's pages use, with their methods. It has others, such as `_log`. */
const ACTIONS: Readonly<Record<string, string>> = {
  csrf: READ,
  providers: READ,
  session: READ,
  "callback/oidc": READ,
  "signin/oidc": "POST",
  "callback/credentials": "POST",
  "callback/passkey": "POST",
};
const ATTEMPTS = /^\/api\/auth\/callback\/(credentials|passkey)\/?(\?|$)/;
const CALLBACK = "callbackUrl";
const CALLBACK_COOKIES = ["next-auth.callback-url", "__Secure-next-auth.callback-url"];

/** Whether a request is an attempt to sign in with a password or a passkey. */
export function isSignInAttempt({ url = "/" }: IncomingMessage): boolean {
  return ATTEMPTS.test(url);
}

/** Rejects actions of the auth library that no page uses. Errors: route_unknown, method_not_allowed. */
export function checkSignInAction(method: string, path: string): void {
  const action = path.slice("/api/auth/".length).replace(/\/$/, "");
  const allow = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (allow === undefined) throw new ApiError("route_unknown", `${method} ${path}`);
  if (allow.split(", ").includes(method)) return;
  throw new ApiError("method_not_allowed", `${method}; use ${allow}`, undefined, { allow });
}

/**
 * Rejects requests to `/api/auth` that the auth library would fail on: a body that is neither a form nor a JSON object
 * of strings, or an invalid callback URL. Errors: body_invalid, parameter_invalid.
 */
export function checkSignInRequest(request: IncomingMessage, body: Buffer): void {
  const { method = "GET", url = "/", headers } = request;
  const query = new URLSearchParams(url.split("?").slice(1).join("?"));
  const fields = fieldsOf(method, headers["content-type"] ?? "", body.toString("utf8"));
  for (const callback of [...query.getAll(CALLBACK), ...fields.getAll(CALLBACK)]) {
    if (!isUsable(callback)) throw new ApiError("parameter_invalid", `${CALLBACK} is not a URL`);
  }
  const cookies = parseCookies(headers.cookie ?? null);
  for (const name of CALLBACK_COOKIES) {
    if (isUsable(cookies.get(name) ?? "")) continue;
    // The response deletes the cookie, so the browser's next request works.
    const headers = { "set-cookie": `${name}=; Max-Age=0; Path=/` };
    throw new ApiError("parameter_invalid", `the cookie ${name} is not a URL`, undefined, headers);
  }
}

function fieldsOf(method: string, type: string, text: string): URLSearchParams {
  // The library's client sends `Content-Type: application/json` with GET requests, which have no body.
  if (method !== "POST" || !type.includes("application/json")) return new URLSearchParams(text);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ApiError("body_invalid", "the body is not a JSON object");
  }
  const fields = Object.entries(value);
  if (fields.some(([, field]) => typeof field !== "string")) {
    throw new ApiError("body_invalid", "the sign-in fields must be strings");
  }
  return new URLSearchParams(fields);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isUsable(url: string): boolean {
  const base = url.startsWith("/") ? BASE : undefined;
  return url === "" || (URL.canParse(url, base) && /^https?:$/.test(new URL(url, base).protocol));
}
