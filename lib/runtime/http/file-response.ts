import "server-only";
import { ReadableStream } from "node:stream/web";
import { baseUrl, checkoutUrl, dashboardUrl, env } from "@/lib/platform/env";
import { parseByteRange } from "@/lib/runtime/http/byte-range";

/** A file whose content never changes for its id. */
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
 * Streams a file, or the range that the request asks for. Files are untrusted: browsers must not sniff types, and a CSP
 * sandbox stops HTML and SVG from running scripts or loading anything.
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
    // A file can be deleted at any time, so caches must revalidate.
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
 * Whether the host of a request serves only files. The dashboard responds on every name of the instance, in any
 * spelling, so only the host of CDN_URL qualifies, and only if no other URL setting shares it.
 */
function isFileHost(host: string | null): boolean {
  const { CDN_URL } = env();
  if (CDN_URL === undefined || host === null) return false;
  const { host: fileHost, hostname } = new URL(CDN_URL);
  // Cookies are shared by all ports of a host name, so a different port does not separate hosts.
  const others = [dashboardUrl(), baseUrl(), checkoutUrl()].map((url) => new URL(url).hostname);
  return host.toLowerCase() === fileHost && !others.includes(hostname);
}

// Old clients read the plain name, all other clients the encoded one (RFC 6266).
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

// Web and Node streams have incompatible types for the same interface.
function toStream(body: AsyncIterable<Uint8Array>): BodyInit {
  return ReadableStream.from(body) as unknown as BodyInit;
}
