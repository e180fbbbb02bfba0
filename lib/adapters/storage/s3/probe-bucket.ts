import "server-only";
import { randomUUID } from "node:crypto";
import { createS3Client, type S3Client, S3Error, type S3Settings } from "@/lib/adapters/storage/s3/s3-client";

/** Buckets refuse signatures from a clock that is 15 minutes off. */
const MAX_SKEW_MS = 10 * 60_000;
const PROBE_MS = 1200;

/**
 * Asks the bucket for one name of its list, once and in a short time. Returns null when this works, else a sentence that
 * names the setting or the clock.
 */
export async function probeBucket(settings: S3Settings): Promise<string | null> {
  const client = createS3Client(settings, { retries: 0, timeoutMs: PROBE_MS });
  try {
    const response = await client.send({ method: "GET", query: { "list-type": "2", "max-keys": "1" } });
    await response.text();
    return explainSkew(response.headers.get("date"));
  } catch (error) {
    return explain(error, settings);
  }
}

/**
 * Whether the bucket refuses to replace an object (`If-None-Match: *`), which is what makes an upload URL work only once.
 * Writes an object and removes it.
 */
export async function refusesReplacement(settings: S3Settings): Promise<boolean> {
  const client = createS3Client(settings, { retries: 0, timeoutMs: 4 * PROBE_MS });
  const key = `trunkline-probe/${randomUUID()}`;
  try {
    await putNew(client, key);
    return (await putNew(client, key)) === REFUSED;
  } finally {
    const deleted = await client.send({ method: "DELETE", key }, [404]).catch(() => null);
    await deleted?.body?.cancel();
  }
}

const REFUSED = 412;

async function putNew(client: S3Client, key: string): Promise<number> {
  const request = {
    method: "PUT",
    key,
    headers: { "If-None-Match": "*" },
    body: new Uint8Array([1]),
  } as const;
  const response = await client.send(request, [REFUSED]);
  await response.body?.cancel();
  return response.status;
}

function explainSkew(date: string | null): string | null {
  const skewMs = date === null ? Number.NaN : Date.now() - Date.parse(date);
  if (!(Math.abs(skewMs) > MAX_SKEW_MS)) return null;
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  const direction = skewMs > 0 ? "ahead of" : "behind";
  return `the clock of this machine is ${minutes} minutes ${direction} the bucket's, so signed uploads are refused: synchronize it (NTP)`;
}

function explain(error: unknown, { bucket, endpoint, region }: S3Settings): string {
  if (!(error instanceof S3Error)) {
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    return `S3_ENDPOINT: ${endpoint} can't be reached (${cause?.code ?? cause?.message ?? message})`;
  }
  const code = /<Code>([^<]+)<\/Code>/.exec(error.answer)?.[1] ?? "";
  const skew = explainSkew(error.date);
  if (skew !== null) return skew;
  if (code === "RequestTimeTooSkewed")
    return "the clock of this machine and the bucket's are too far apart: synchronize it (NTP)";
  if (code === "NoSuchBucket" || error.status === 404)
    return `S3_BUCKET: there is no bucket ${bucket} at ${endpoint}. Create it, or correct the name`;
  if (code === "InvalidAccessKeyId" || code === "SignatureDoesNotMatch")
    return `S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are refused (${code})`;
  if (error.status === 403)
    return `the keys of S3_ACCESS_KEY_ID may not list the bucket ${bucket} (${code || 403})`;
  if (error.status === 301 || error.status === 307 || code === "AuthorizationHeaderMalformed")
    return `S3_REGION: the bucket ${bucket} is not in ${region} (${code || error.status})`;
  return `the bucket ${bucket} returns ${error.status}${code === "" ? "" : ` (${code})`}`;
}
