import "server-only";
import {
  type ByteRange,
  type ByteStream,
  ObjectExists,
  type ObjectStore,
  requireKey,
  type StoredObject,
} from "@/lib/adapters/storage/object-store";
import { probeBucket, refusesReplacement } from "@/lib/adapters/storage/s3/probe-bucket";
import { putInParts } from "@/lib/adapters/storage/s3/put-in-parts";
import {
  createS3Client,
  originOf,
  type S3Client,
  type S3Settings,
} from "@/lib/adapters/storage/s3/s3-client";
import { signPut, verifyPut } from "@/lib/adapters/storage/sign-put";
import { log } from "@/lib/platform/telemetry/log";

const MISSING = 404;

/** How long a failed check of the bucket is not repeated. */
const CHECK_AGAIN_MS = 10_000;

/**
 * Stores objects in a bucket of S3 or of a compatible service. Signed uploads go directly to the bucket and work once:
 * the signature covers type, length and `If-None-Match`. Unless the bucket has shown that it respects the latter, they go
 * to Trunkline. Trunkline performs the reads.
 */
export function createS3Store(settings: S3Settings): ObjectStore {
  const client = createS3Client(settings);

  async function head(key: string): Promise<{ sizeBytes: number } | null> {
    const response = await client.send({ method: "HEAD", key: requireKey(key) }, [MISSING]);
    return response.status === MISSING ? null : { sizeBytes: Number(response.headers.get("content-length")) };
  }

  let check: { at: number; isSafe: Promise<boolean> } | undefined;
  function takesDirectUploads(): Promise<boolean> {
    if (check !== undefined && performance.now() - check.at < CHECK_AGAIN_MS) return check.isSafe;
    const at = performance.now();
    const isSafe = refusesReplacement(settings).then(
      (isRefused) => {
        check = { at: Number.POSITIVE_INFINITY, isSafe };
        return isRefused;
      },
      (error: Error) => {
        log.warn(
          { problem: error.message },
          "uploads go through Trunkline, because the bucket can't be checked",
        );
        return false;
      },
    );
    check = { at, isSafe };
    return isSafe;
  }

  return {
    name: "s3",
    uploadOrigin: originOf(settings),
    head,
    verifyPut,

    async signPut(key, put) {
      if (!(await takesDirectUploads())) return signPut(key, put);
      const { contentType, sizeBytes, ttlSeconds } = put;
      const headers = {
        "Content-Type": contentType,
        "Content-Length": String(sizeBytes),
        "If-None-Match": "*",
      };
      const expiresAt = new Date(Date.now() + ttlSeconds * 1000);
      return {
        url: await client.presignPut(requireKey(key), headers, ttlSeconds),
        method: "PUT",
        headers,
        expiresAt,
      };
    },

    async put(key, body, limits) {
      const refuseStored = async () => {
        if ((await head(key)) !== null) throw new ObjectExists();
      };
      // For buckets that ignore If-None-Match. Another upload can end while the body arrives.
      await refuseStored();
      return putInParts(client, key, {
        body,
        limits,
        refuseStored: async () => ((await check?.isSafe) === true ? undefined : refuseStored()),
      });
    },

    async get(key, range) {
      const found = await head(key);
      return found && { body: readFrom(client, key, range), sizeBytes: found.sizeBytes };
    },

    async delete(key) {
      const response = await client.send({ method: "DELETE", key: requireKey(key) }, [MISSING]);
      await response.body?.cancel();
    },

    list: () => listObjects(client),
    probe: () => probeBucket(settings),
    refusesReplacement: () => refusesReplacement(settings),
  };
}

// The object is requested by the first read, so a body that is never read holds no connection.
async function* readFrom(client: S3Client, key: string, range: ByteRange | undefined): ByteStream {
  const headers = range && { Range: `bytes=${range.start}-${range.end}` };
  const response = await client.send({ method: "GET", key, ...(headers && { headers }) });
  yield* response.body ?? [];
}

async function* listObjects(client: S3Client): AsyncGenerator<StoredObject[]> {
  let after: string | undefined;
  do {
    const query = { "list-type": "2", ...(after !== undefined && { "continuation-token": after }) };
    const answer = await (await client.send({ method: "GET", query })).text();
    yield [...answer.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = ""]) => ({
      key: textOf(entry, "Key"),
      sizeBytes: Number(textOf(entry, "Size")),
      storedAt: new Date(textOf(entry, "LastModified")),
    }));
    after = textOf(answer, "NextContinuationToken") || undefined;
  } while (after !== undefined);
}

function textOf(xml: string, name: string): string {
  const [, text = ""] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text.replaceAll("&amp;", "&").replaceAll("&#43;", "+").replaceAll("&quot;", '"');
}
