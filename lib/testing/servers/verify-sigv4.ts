import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** A request as a store receives it, before its body. */
export interface SignedRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  keys: { accessKeyId: string; secretAccessKey: string; region: string };
  /** In milliseconds. */
  at: number;
}

const MAX_SKEW_MS = 15 * 60_000;

/** Returns why AWS Signature Version 4's published rules reject a request; null if its signature is valid. */
export function findSignatureError(request: SignedRequest): string | null {
  const query = request.url.searchParams;
  return query.has("X-Amz-Signature") ? checkQuery(request, query) : checkHeader(request);
}

function checkQuery(request: SignedRequest, query: URLSearchParams): string | null {
  const date = query.get("X-Amz-Date") ?? "";
  const end = timeOf(date) + Number(query.get("X-Amz-Expires")) * 1000;
  const expected = signatureOf(request, {
    date,
    credential: query.get("X-Amz-Credential") ?? "",
    signedHeaders: query.get("X-Amz-SignedHeaders") ?? "",
    payload: "UNSIGNED-PAYLOAD",
  });
  if (!isSame(expected, query.get("X-Amz-Signature") ?? "")) return "SignatureDoesNotMatch";
  return request.at > end ? "AccessDenied: Request has expired" : null;
}

function checkHeader(request: SignedRequest): string | null {
  const { authorization = "" } = request.headers;
  const field = (name: string) => new RegExp(`${name}=([^,\\s]+)`).exec(authorization)?.[1] ?? "";
  const date = request.headers["x-amz-date"] ?? "";
  const payload = request.headers["x-amz-content-sha256"] ?? "";
  const signing = { date, credential: field("Credential"), signedHeaders: field("SignedHeaders"), payload };
  if (!isSame(signatureOf(request, signing), field("Signature"))) return "SignatureDoesNotMatch";
  return Math.abs(request.at - timeOf(date)) > MAX_SKEW_MS ? "RequestTimeTooSkewed" : null;
}

interface Signing {
  date: string;
  credential: string;
  signedHeaders: string;
  payload: string;
}

function signatureOf(request: SignedRequest, { date, credential, signedHeaders, payload }: Signing): string {
  const { accessKeyId, secretAccessKey, region } = request.keys;
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
  if (credential !== `${accessKeyId}/${scope}`) return "";
  const names = signedHeaders.split(";");
  if (!names.includes("host")) return "";
  const canonical = [
    request.method,
    request.url.pathname
      .split("/")
      .map((part) => encode(decodeURIComponent(part)))
      .join("/"),
    canonicalQuery(request.url.searchParams),
    ...names.map((name) => `${name}:${(request.headers[name] ?? "").trim().replace(/\s+/g, " ")}`),
    "",
    signedHeaders,
    payload,
  ].join("\n");
  const hashed = createHash("sha256").update(canonical).digest("hex");
  const key = scope
    .split("/")
    .reduce<Buffer>((parent, step) => hmac(parent, step), Buffer.from(`AWS4${secretAccessKey}`));
  return hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hashed}`).toString("hex");
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function timeOf(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && a !== "" && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
