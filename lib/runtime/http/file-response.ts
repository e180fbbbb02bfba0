import "server-only";
import { ReadableStream } from "node:stream/web";
import { baseUrl, checkoutUrl, dashboardUrl, env } from "@/lib/platform/env";
import { parseByteRange } from "@/lib/runtime/http/byte-range";

/** A file that never changes under its id. */
interface ServedFile {
  id: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  read(range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array>>;
}

/** Types that browsers may display. All other types are downloads. */
const SHOWN = /^(image|audio|video)\/|^application\/pdf$|^text\/(plain|csv|markdown|html|xml)$/;
/** Types that can contain scripts. */
const ACTIVE = /^(image\/svg\+xml|text\/(html|xml))$/;

/**
 * A file as an answer, streamed, as a whole or the range that is asked for. A file is foreign: no type is guessed, and a
 * page or a drawing runs nothing and reaches nothing (CSP sandbox).
 */
export async function fileResponse(request: Request, file: ServedFile): Promise<Response> {
  const headers = headersOf(request, file);
  if (isKnown(request, headers)) return new Response(null, { status: 304, headers });

  const range = request.headers.has("if-range")
    ? null
    : parseByteRange(request.headers.get("range"), file.sizeBytes);
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { "content-range": `bytes */${file.sizeBytes}` } });
  }
  const sizeBytes = range === null ? file.sizeBytes : range.end - range.start + 1;
  headers.set("content-length", String(sizeBytes));
  if (range !== null) headers.set("content-range", `bytes ${range.start}-${range.end}/${file.sizeBytes}`);
  const body = request.method === "HEAD" ? null : toStream(await file.read(range ?? undefined));
  return new Response(body, { status: range === null ? 200 : 206, headers });
}

function headersOf(request: Request, { id, filename, contentType }: ServedFile): Headers {
  return new Headers({
    "content-type": contentType.startsWith("text/") ? `${contentType}; charset=utf-8` : contentType,
    "content-disposition": disposition(isShown(request, contentType) ? "inline" : "attachment", filename),
    etag: `"${id}"`,
    "accept-ranges": "bytes",
    // A file can be deleted at any time: every cache asks again.
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "referrer-policy": "no-referrer",
  });
}

function isShown(request: Request, contentType: string): boolean {
  if (!SHOWN.test(contentType)) return false;
  return !ACTIVE.test(contentType) || isFileHost(request.headers.get("host"));
}

/**
 * Whether a request came to a host that serves files alone. The dashboard answers on every name that leads to the
 * instance, in any spelling of it, so only the host of CDN_URL counts, and only where nothing else of the instance has it.
 */
function isFileHost(host: string | null): boolean {
  const { CDN_URL } = env();
  if (CDN_URL === undefined || host === null) return false;
  const { host: fileHost, hostname } = new URL(CDN_URL);
  // Cookies are shared by the ports of a host name, so another port is no other host.
  const others = [dashboardUrl(), baseUrl(), checkoutUrl()].map((url) => new URL(url).hostname);
  return host.toLowerCase() === fileHost && !others.includes(hostname);
}

// Old clients read the plain name, all others the encoded one (RFC 6266).
function disposition(kind: "inline" | "attachment", filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function isKnown(request: Request, headers: Headers): boolean {
  const known = request.headers
    .get("if-none-match")
    ?.split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""));
  return known !== undefined && (known.includes("*") || known.includes(headers.get("etag") ?? ""));
}

// The types of the web's stream and of Node's are the same thing by two names.
function toStream(body: AsyncIterable<Uint8Array>): BodyInit {
  return ReadableStream.from(body) as unknown as BodyInit;
}
