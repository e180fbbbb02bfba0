import "server-only";
import type { IncomingMessage } from "node:http";
import { MAX_UPLOAD_BYTES } from "@/lib/attachments/file-types/file-limits";
import { BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { ApiError } from "@/lib/platform/errors/errors";
import { isHealthPath } from "@/lib/runtime/monitoring/health";

// The largest body that any route reads into memory; most allow far less (Contract.bodyLimitBytes).
const LIMIT_BYTES = 16 * BODY_LIMIT_BYTES;
const UPLOAD = /^\/uploads\/|^\/api\/attachments\/[^/]+\/content$/;
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;
const ORIGIN = /^https?:\/\/[^/?#\\]*/i;
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";

/** Converts a request target in absolute form to its path (RFC 9112, 3.2.2). */
export function toOriginForm(request: IncomingMessage): void {
  const { url = "/" } = request;
  if (url.startsWith("/")) return;
  const rest = url.replace(ORIGIN, "");
  if (rest !== url) request.url = rest.startsWith("/") ? rest : `/${rest}`;
}

/**
 * Rejects a request by its method, target, Host or Content-Length before any route sees it; null when the request is
 * acceptable.
 */
export function findRequestError(request: IncomingMessage, path: string): ApiError | null {
  const { method = "GET", url = "/" } = request;
  if (method === "TRACE" || url === "*") return methodRefused(`${method} ${url}`);
  if (!url.startsWith("/")) return new ApiError("body_invalid", "the request target must be a path");
  if (path.includes("\\")) return new ApiError("body_invalid", "the path contains a backslash");
  // Load balancers send health checks as HTTP/1.0 without a Host header.
  if (!isHealthPath(path) && !hasOneHost(request)) {
    return new ApiError("body_invalid", "send exactly one valid Host header");
  }
  const most = UPLOAD.test(path) ? MAX_UPLOAD_BYTES : LIMIT_BYTES;
  if (Number(request.headers["content-length"] ?? 0) > most) {
    return new ApiError("body_invalid", `the body is larger than ${most} bytes`);
  }
  return null;
}

/** 405 with the methods that this server supports. */
export function methodRefused(what: string): ApiError {
  return new ApiError("method_not_allowed", `${what}; use ${METHODS}`, undefined, { allow: METHODS });
}

function hasOneHost({ headers, rawHeaders }: IncomingMessage): boolean {
  const { host } = headers;
  if (host === undefined || !HOST.test(host)) return false;
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count === 1;
}
