import "server-only";
import { createHash } from "node:crypto";
import { type ByteStream, ObjectExists, type PutLimits } from "@/lib/adapters/storage/object-store";
import type { S3Client } from "@/lib/adapters/storage/s3/s3-client";
import { withinLimits } from "@/lib/adapters/storage/within-limits";
import { releaseChunk } from "@/lib/platform/http/release-chunk";
import { log } from "@/lib/platform/telemetry/log";

/** The size of a part, held in memory. S3 requires parts of at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;

/** The responses to a conditional write when the object exists, or a concurrent write was faster. */
const EXISTS = [409, 412];
const IF_ABSENT = { "If-None-Match": "*" };

/**
 * Stores a stream: in one request if it fits into one part, else as a multipart upload, which appears completely or not
 * at all. Never replaces an object: `refuseStored` throws ObjectExists before the object appears, for a bucket that
 * ignores conditions. Throws SizeMismatch and ObjectExists.
 */
export async function putInParts(
  client: S3Client,
  key: string,
  { body, limits, refuseStored }: { body: ByteStream; limits: PutLimits; refuseStored: () => Promise<void> },
): Promise<number> {
  const headers = { "Content-Type": limits.contentType };
  let sizeBytes = 0;
  let upload: Multipart | null = null;
  try {
    for await (const part of partsOf(withinLimits(body, limits))) {
      sizeBytes += part.body.byteLength;
      if (part.isLast && upload === null) {
        await refuseStored();
        await putWhole(client, key, { headers, part });
        return sizeBytes;
      }
      upload ??= await begin(client, key, headers);
      await sendPart(client, upload, part);
    }
    if (upload !== null) {
      await refuseStored();
      await complete(client, upload);
    }
    return sizeBytes;
  } catch (error) {
    if (upload !== null) await abort(client, upload);
    throw error;
  }
}

/** A multipart upload and the ETags of the parts sent so far. */
interface Multipart {
  key: string;
  uploadId: string;
  tags: string[];
}

interface Part {
  body: Uint8Array<ArrayBuffer>;
  sha256: string;
  isLast: boolean;
}

/** Splits a stream into parts, each hashed as it arrives. The last part can be empty. */
async function* partsOf(body: ByteStream): AsyncGenerator<Part> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let hash = createHash("sha256");
  for await (const chunk of body) {
    held.push(chunk);
    heldBytes += chunk.byteLength;
    hash.update(chunk);
    if (heldBytes < PART_BYTES) continue;
    yield { body: joined(held, heldBytes), sha256: hash.digest("hex"), isLast: false };
    [held, heldBytes, hash] = [[], 0, createHash("sha256")];
  }
  yield { body: joined(held, heldBytes), sha256: hash.digest("hex"), isLast: true };
}

/** Copies the chunks into one, and releases them. */
function joined(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
    releaseChunk(chunk);
  }
  return whole;
}

async function putWhole(
  client: S3Client,
  key: string,
  { headers, part }: { headers: Record<string, string>; part: Part },
): Promise<void> {
  const { body, sha256 } = part;
  const request = { method: "PUT", key, headers: { ...headers, ...IF_ABSENT }, body, sha256 } as const;
  await refuseExisting(client.send(request, EXISTS));
}

async function begin(client: S3Client, key: string, headers: Record<string, string>): Promise<Multipart> {
  const response = await client.send({ method: "POST", key, query: { uploads: "" }, headers });
  const [, uploadId] = /<UploadId>([^<]+)<\/UploadId>/.exec(await response.text()) ?? [];
  if (uploadId === undefined)
    throw new Error("the bucket started a multipart upload without returning an id");
  return { key, uploadId, tags: [] };
}

async function sendPart(
  client: S3Client,
  { key, uploadId, tags }: Multipart,
  { body, sha256 }: Part,
): Promise<void> {
  if (body.byteLength === 0) return;
  const query = { partNumber: String(tags.length + 1), uploadId };
  const response = await client.send({ method: "PUT", key, query, body, sha256 });
  await response.body?.cancel();
  tags.push(response.headers.get("etag") ?? "");
}

async function complete(client: S3Client, { key, uploadId, tags }: Multipart): Promise<void> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  );
  const body = new TextEncoder().encode(
    `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join("")}</CompleteMultipartUpload>`,
  );
  const request = { method: "POST", key, query: { uploadId }, headers: IF_ABSENT, body } as const;
  const answer = await refuseExisting(client.send(request, EXISTS));
  // S3 sends status 200 before it has finished: a later error is in the body.
  if (answer.includes("<Error>"))
    throw new Error(`the bucket did not complete an upload: ${answer.slice(0, 500)}`);
}

async function refuseExisting(sent: Promise<Response>): Promise<string> {
  const response = await sent;
  const answer = await response.text();
  if (EXISTS.includes(response.status)) throw new ObjectExists();
  return answer;
}

// Parts that remain are billed until a lifecycle rule of the bucket removes them.
async function abort(client: S3Client, { key, uploadId }: Multipart): Promise<void> {
  await client
    .send({ method: "DELETE", key, query: { uploadId } }, [404])
    .then((response) => response.body?.cancel())
    .catch((error: unknown) => log.warn({ err: error }, "a multipart upload was not aborted"));
}
