import "server-only";
import {
  type ByteStream,
  ObjectExists,
  type PutLimits,
  SizeMismatch,
} from "@/lib/adapters/storage/object-store";
import type { S3Client } from "@/lib/adapters/storage/s3/s3-client";
import { log } from "@/lib/platform/log";

/** The size of a part, held in memory. S3 requires parts of at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;

/** The responses to a conditional write when the object exists, or a concurrent write was faster. */
const EXISTS = [409, 412];
const IF_ABSENT = { "If-None-Match": "*" };

/**
 * Stores a stream: in one request if it fits into one part, else as a multipart upload, which appears completely or not
 * at all. Never replaces an object. Throws SizeMismatch and ObjectExists.
 */
export async function putInParts(
  client: S3Client,
  key: string,
  { body, limits }: { body: ByteStream; limits: PutLimits },
): Promise<number> {
  const parts = partsOf(body, limits);
  const first = await parts.next();
  const type = { "Content-Type": limits.contentType };
  if (first.done) return first.value;
  if (first.value.isLast) {
    const headers = { ...type, ...IF_ABSENT };
    await refuseExisting(client.send({ method: "PUT", key, headers, body: first.value.bytes }, EXISTS));
    return first.value.bytes.byteLength;
  }

  const uploadId = await begin(client, key, type);
  try {
    return await sendParts(client, { key, uploadId }, { first: first.value, rest: parts });
  } catch (error) {
    await abort(client, key, uploadId);
    throw error;
  }
}

interface Part {
  bytes: Uint8Array<ArrayBuffer>;
  isLast: boolean;
}

/** Splits the stream into parts and returns its total size. Yields the last part only when the size is valid. */
async function* partsOf(
  body: ByteStream,
  { leastBytes, mostBytes }: PutLimits,
): AsyncGenerator<Part, number> {
  let sizeBytes = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > mostBytes) throw new SizeMismatch("too_large");
    held.push(chunk);
    heldBytes += chunk.byteLength;
    if (heldBytes < PART_BYTES) continue;
    yield { bytes: joined(held), isLast: false };
    [held, heldBytes] = [[], 0];
  }
  if (sizeBytes < leastBytes) throw new SizeMismatch("too_small");
  yield { bytes: joined(held), isLast: true };
  return sizeBytes;
}

function joined(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(chunks));
}

async function begin(client: S3Client, key: string, headers: Record<string, string>): Promise<string> {
  const response = await client.send({ method: "POST", key, query: { uploads: "" }, headers });
  const [, uploadId] = /<UploadId>([^<]+)<\/UploadId>/.exec(await response.text()) ?? [];
  if (uploadId === undefined)
    throw new Error("the bucket started a multipart upload without returning an id");
  return uploadId;
}

async function sendParts(
  client: S3Client,
  { key, uploadId }: { key: string; uploadId: string },
  { first, rest }: { first: Part; rest: AsyncGenerator<Part, number> },
): Promise<number> {
  const tags: string[] = [];
  let sizeBytes = 0;
  for (let part = first; ; ) {
    if (part.bytes.byteLength > 0) {
      const query = { partNumber: String(tags.length + 1), uploadId };
      const response = await client.send({ method: "PUT", key, query, body: part.bytes });
      await response.body?.cancel();
      tags.push(response.headers.get("etag") ?? "");
      sizeBytes += part.bytes.byteLength;
    }
    const next = await rest.next();
    if (next.done) break;
    part = next.value;
  }
  await complete(client, { key, uploadId }, tags);
  return sizeBytes;
}

async function complete(
  client: S3Client,
  { key, uploadId }: { key: string; uploadId: string },
  tags: readonly string[],
): Promise<void> {
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
async function abort(client: S3Client, key: string, uploadId: string): Promise<void> {
  await client
    .send({ method: "DELETE", key, query: { uploadId } }, [404])
    .then((response) => response.body?.cancel())
    .catch((error: unknown) => log.warn({ err: error }, "a multipart upload was not aborted"));
}
