import { createHash, randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { findSignatureError } from "@/lib/testing/servers/verify-sigv4";

const PAGE_OBJECTS = 2;

interface Kept {
  bytes: Buffer;
  storedAt: Date;
}

interface ObjectRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  /** The key in its bucket. */
  key: string;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface FakeS3 {
  settings: {
    bucket: string;
    accessKeyId: string;
    secretAccessKey: string;
    region: string;
    endpoint: string;
    pathStyle: boolean;
  };
  /** Advances the store's clock. */
  wait(seconds: number): void;
  /** Every request as "METHOD key?query names", in order. */
  asked: string[];
  /** Multipart uploads that were neither completed nor aborted. */
  unfinished(): number;
  /** Ignores `If-None-Match`, as some compatible services do. */
  ignoreConditions(): void;
  /** The next requests fail with 503. */
  failNext(count: number): void;
  /** The connection breaks half way through each of the next objects that are read. */
  breakNext(count: number): void;
  /** Is called before each answer, with the request as in `asked`. */
  beforeAnswer(hook: (request: string) => Promise<void>): void;
  close(): Promise<void>;
}

/**
 * Starts a bucket on loopback that validates every signature by AWS's published rules. Supports objects, ranges,
 * multipart uploads and lists.
 */
export async function startFakeS3(): Promise<FakeS3> {
  const bucket = "files";
  const keys = { accessKeyId: "AKTEST", secretAccessKey: "a secret of the test", region: "eu-test-1" };
  const objects = new Map<string, Kept>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const asked: string[] = [];
  let aheadMs = 0;
  let failing = 0;
  let breaking = 0;
  let isConditional = true;
  let hook: (request: string) => Promise<void> = async () => undefined;

  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const key = url.pathname.replace(`/${bucket}/`, "");
    const one = { method: request.method ?? "", url, headers, key };
    const named = `${one.method} ${key}?${[...url.searchParams.keys()].filter((name) => !name.startsWith("X-Amz"))}`;
    asked.push(named);
    await hook(named);
    const answer = await respond(one, request).catch(() => null);
    if (answer === null) return request.destroy();
    response.writeHead(answer.status, { connection: "close", ...answer.headers });
    if (one.method === "GET" && Buffer.isBuffer(answer.body) && breaking > 0) {
      breaking--;
      const half = answer.body.subarray(0, answer.body.length / 2);
      return response.write(half, () => response.destroy());
    }
    response.end(one.method === "HEAD" ? undefined : answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  async function respond(one: ObjectRequest, request: http.IncomingMessage): Promise<Answer> {
    // Checked before the body, because an unauthorized client sends none.
    const refusal = findSignatureError({ ...one, keys, at: Date.now() + aheadMs });
    if (refusal !== null) return { status: 403, body: `<Error><Code>${refusal}</Code></Error>` };
    const body = await bodyOf(request);
    if (failing > 0) {
      failing--;
      return { status: 503, body: "<Error><Code>SlowDown</Code></Error>" };
    }
    const declared = one.headers["x-amz-content-sha256"];
    if (declared !== undefined && declared !== createHash("sha256").update(body).digest("hex")) {
      return { status: 400, body: "<Error><Code>XAmzContentSHA256Mismatch</Code></Error>" };
    }
    const uploadId = one.url.searchParams.get("uploadId");
    if (one.url.searchParams.has("uploads")) return beginUpload();
    if (uploadId !== null) return onUpload(one, uploadId, body);
    return one.url.searchParams.has("list-type") ? list(one) : onObject(one, body);
  }

  function beginUpload(): Answer {
    const id = randomUUID();
    uploads.set(id, new Map());
    return { status: 200, body: `<R><UploadId>${id}</UploadId></R>` };
  }

  function onUpload(one: ObjectRequest, uploadId: string, body: Buffer): Answer {
    const parts = uploads.get(uploadId);
    if (parts === undefined) return { status: 404, body: "<Error><Code>NoSuchUpload</Code></Error>" };
    if (one.method === "PUT") {
      parts.set(Number(one.url.searchParams.get("partNumber")), body);
      return { status: 200, headers: { etag: etagOf(body) } };
    }
    uploads.delete(uploadId);
    if (one.method === "DELETE") return { status: 204 };
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)</g)];
    const chosen = named.map(([, number, tag]) => ({ part: parts.get(Number(number)), tag }));
    if (chosen.some(({ part, tag }) => part === undefined || etagOf(part) !== tag))
      return { status: 400, body: "InvalidPart" };
    return store(one, Buffer.concat(chosen.flatMap(({ part }) => (part === undefined ? [] : [part]))));
  }

  function onObject(one: ObjectRequest, body: Buffer): Answer {
    if (one.method === "PUT") return store(one, body);
    const kept = objects.get(one.key);
    if (one.method === "DELETE") {
      objects.delete(one.key);
      return { status: 204 };
    }
    if (kept === undefined) return { status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" };
    const range = /^bytes=(\d+)-(\d+)$/.exec(one.headers.range ?? "");
    const bytes = range === null ? kept.bytes : kept.bytes.subarray(Number(range[1]), Number(range[2]) + 1);
    return {
      status: range === null ? 200 : 206,
      headers: { "content-length": String(bytes.length) },
      body: bytes,
    };
  }

  function store(one: ObjectRequest, bytes: Buffer): Answer {
    if (isConditional && one.headers["if-none-match"] === "*" && objects.has(one.key))
      return { status: 412, body: "PreconditionFailed" };
    objects.set(one.key, { bytes, storedAt: new Date(Date.now() + aheadMs) });
    return { status: 200, headers: { etag: etagOf(bytes) } };
  }

  function list(one: ObjectRequest): Answer {
    const after = one.url.searchParams.get("continuation-token") ?? "";
    const left = [...objects].filter(([key]) => key > after).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const page = left.slice(0, PAGE_OBJECTS);
    const entries = page.map(
      ([key, { bytes, storedAt }]) =>
        `<Contents><Key>${key}</Key><LastModified>${storedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`,
    );
    const next =
      left.length > page.length ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : "";
    return { status: 200, body: `<ListBucketResult>${entries.join("")}${next}</ListBucketResult>` };
  }

  return {
    settings: { bucket, ...keys, endpoint: `http://127.0.0.1:${port}`, pathStyle: true },
    wait(seconds) {
      aheadMs += seconds * 1000;
    },
    asked,
    unfinished: () => uploads.size,
    ignoreConditions() {
      isConditional = false;
    },
    failNext(count) {
      failing = count;
    },
    breakNext(count) {
      breaking = count;
    },
    beforeAnswer(newHook) {
      hook = newHook;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function bodyOf(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function etagOf(bytes: Buffer): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}
