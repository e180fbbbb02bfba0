import "server-only";
import { ApiError, fail } from "@/lib/platform/errors/errors";

/** Time limit for the arrival of a body, in milliseconds. */
export const BODY_MS = 30_000;
/** Size limit for a form of a hosted page: a few short fields. */
export const FORM_LIMIT_BYTES = 4096;

/** The largest body that a route accepts. */
export interface BodyLimit {
  limitBytes: number;
}

interface BodyLimits extends BodyLimit {
  withinMs?: number;
}

/**
 * Reads the body of a request as UTF-8 text without a byte order mark, up to the limit. Every route that reads a whole
 * body uses this function. Errors: body_invalid (over the limit, not UTF-8, or the connection closed), body_too_slow,
 * body_encoded for a compressed body.
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<string> {
  const { limitBytes, withinMs = BODY_MS } = limits;
  requireWithin(request, limits);
  const length = request.headers.get("content-length");
  if (length === null && request.body === null) return "";
  requireIdentity(request);
  // The HTTP parser enforces Content-Length. Without the header the bytes are counted.
  const bytes = length === null ? countBytes(request.body, limitBytes) : request.arrayBuffer();
  return decode(await inTime<ArrayBuffer | Buffer>(bytes.catch(failCutShort), withinMs));
}

/** Like `readBody`, but returns the raw bytes, for verifying signatures. */
export async function readBytes(request: Request, limits: BodyLimits): Promise<Buffer> {
  requireIdentity(request);
  return readStream(request.body, limits);
}

// Bytes that are not UTF-8 would reach the recipient as U+FFFD.
function decode(bytes: ArrayBuffer | Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return fail("body_invalid", "the body is not valid UTF-8: send JSON encoded as UTF-8");
  }
}

function requireIdentity(request: Request): void {
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return;
  fail("body_encoded", `Content-Encoding ${encoding} is not supported: send the body uncompressed`);
}

/** Like `readBytes`, for a body that does not belong to a Request yet. */
export function readStream(
  body: AsyncIterable<Uint8Array> | null,
  { limitBytes, withinMs = BODY_MS }: BodyLimits,
): Promise<Buffer> {
  return inTime(countBytes(body, limitBytes).catch(failCutShort), withinMs);
}

/** Reads a posted form of a hosted page. Errors: as `readBody`. */
export async function readForm(request: Request, limit: BodyLimit): Promise<URLSearchParams> {
  return new URLSearchParams(await readBody(request, limit));
}

/** Rejects a request that announces a larger body. Errors: body_invalid. */
export function requireWithin(request: Request, { limitBytes }: BodyLimit): void {
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) failTooLarge(limitBytes);
}

/** Fails a request whose body is over the limit. Errors: body_invalid. */
function failTooLarge(limitBytes: number): never {
  return fail("body_invalid", `the body is larger than ${limitBytes} bytes`);
}

// The client disconnected or sent invalid chunks: not an error of the server.
function failCutShort(error: unknown): never {
  if (error instanceof ApiError) throw error;
  return fail("body_invalid", "the body is incomplete");
}

async function countBytes(body: AsyncIterable<Uint8Array> | null, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limitBytes) failTooLarge(limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function inTime<Value>(arriving: Promise<Value>, withinMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(withinMs)), withinMs);
  });
  try {
    return await Promise.race([arriving, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The error of a body that stopped arriving. */
export function tooSlow(withinMs: number): ApiError {
  return new ApiError("body_too_slow", `no data arrived within ${withinMs / 1000} seconds`);
}
