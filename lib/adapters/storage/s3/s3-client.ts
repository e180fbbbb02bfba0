import "server-only";
import { createHash } from "node:crypto";
import { AwsClient, AwsV4Signer } from "aws4fetch";

/** The location of a bucket and its credentials. */
export interface S3Settings {
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  endpoint: string;
  /** endpoint/bucket/key instead of bucket.endpoint/key. */
  pathStyle: boolean;
}

interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Omitted: the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  /** The SHA-256 of the body, in hex. Omitted: it is calculated. */
  sha256?: string;
}

/** The store rejected a request or failed to perform it. */
export class S3Error extends Error {
  constructor(
    readonly status: number,
    { method, key }: S3Request,
    readonly answer: string,
    /** The bucket's time, from its response. */
    readonly date: string | null,
  ) {
    super(`the bucket returned status ${status} for ${method} ${key ?? ""}: ${answer.slice(0, 500)}`);
  }
}

/** Sends signed requests to one bucket (AWS Signature Version 4, by the wall clock). */
export interface S3Client {
  /**
   * Returns the response, whose body must be read or canceled. Throws S3Error for any status but 2xx and `expected`.
   */
  send(request: S3Request, expected?: readonly number[]): Promise<Response>;
  /** Returns the URL of a PUT, valid for exactly these headers and this time. */
  presignPut(key: string, headers: Record<string, string>, ttlSeconds: number): Promise<string>;
}

const RETRIES = 3;

interface ClientOptions {
  /** How often a request is repeated after a 5xx or 429. */
  retries?: number;
  /** Time limit for one request. Default: none. */
  timeoutMs?: number;
}

export function createS3Client(
  settings: S3Settings,
  { retries = RETRIES, timeoutMs }: ClientOptions = {},
): S3Client {
  const { accessKeyId, secretAccessKey, region } = settings;
  const identity = { accessKeyId, secretAccessKey, region, service: "s3" };
  // Responses with 5xx and 429 are retried with increasing pauses.
  const client = new AwsClient({ ...identity, retries });

  return {
    async send(request, expected = []) {
      const { method, key, query, body, sha256 = hashOf(body ?? EMPTY) } = request;
      const headers = { ...request.headers, "X-Amz-Content-Sha256": sha256 };
      const response = await client.fetch(addressOf(settings, key, query), {
        method,
        headers,
        ...(body && { body }),
        ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
      });
      if (response.ok || expected.includes(response.status)) return response;
      throw new S3Error(response.status, request, await response.text(), response.headers.get("date"));
    },

    async presignPut(key, headers, ttlSeconds) {
      const url = addressOf(settings, key, { "X-Amz-Expires": String(ttlSeconds) });
      const signing = { ...identity, method: "PUT", url, headers, signQuery: true, allHeaders: true };
      const signed = await new AwsV4Signer(signing).sign();
      return signed.url.toString();
    },
  };
}

const EMPTY = new Uint8Array();

/** The origin of the bucket's URLs. */
export function originOf(settings: S3Settings): string {
  return new URL(addressOf(settings)).origin;
}

function addressOf(settings: S3Settings, key = "", query: Record<string, string> = {}): string {
  const url = new URL(settings.endpoint);
  if (!settings.pathStyle) url.host = `${settings.bucket}.${url.host}`;
  const folder = url.pathname.replace(/\/+$/, "");
  url.pathname = settings.pathStyle ? `${folder}/${settings.bucket}/${key}` : `${folder}/${key}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.toString();
}

function hashOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}
