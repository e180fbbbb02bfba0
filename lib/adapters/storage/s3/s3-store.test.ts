import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeObjectStore } from "@/lib/adapters/storage/conformance";
import {
  type ObjectStore,
  SignatureRefused,
  type SignedPut,
  SizeMismatch,
} from "@/lib/adapters/storage/object-store";
import { createS3Store } from "@/lib/adapters/storage/s3/s3-store";
import { type FakeS3, startFakeS3 } from "@/lib/testing/servers/start-fake-s3";
import { findSignatureError } from "@/lib/testing/servers/verify-sigv4";

const MIB = 1024 * 1024;

let peer: FakeS3;
let store: ObjectStore;

beforeAll(async () => {
  peer = await startFakeS3();
  store = createS3Store(peer.settings);
});

afterAll(() => peer.close());

describe("a bucket", () => {
  describeObjectStore(() => ({ store, upload, wait: async (seconds) => peer.wait(seconds) }));
});

test("a file of several parts is stored whole, in parts, and one that breaks off leaves no part", async () => {
  const [whole, broken, short] = ["large/whole", "large/broken", "large/short"];
  const limits = { contentType: "video/mp4", leastBytes: 20 * MIB, mostBytes: 20 * MIB };
  expect(await store.put(whole, megabytes(20), limits)).toBe(20 * MIB);
  expect(peer.asked.filter((one) => one.startsWith(`PUT ${whole}?partNumber`))).toHaveLength(3);
  const found = await store.get(whole, { start: 9 * MIB, end: 9 * MIB + 1 });
  for await (const chunk of found?.body ?? []) expect([...chunk]).toEqual([9, 9]);

  await expect(store.put(broken, megabytes(12, "the peer is gone"), limits)).rejects.toThrow(
    "the peer is gone",
  );
  await expect(store.put(short, megabytes(19), limits)).rejects.toThrow(SizeMismatch);
  for (const key of [broken, short]) expect(await store.head(key)).toBeNull();
  expect(peer.unfinished()).toBe(0);
});

test("an address that was used is good for nothing more", async () => {
  const signed = await store.signPut("once/only", {
    contentType: "image/png",
    sizeBytes: 5,
    ttlSeconds: 900,
  });
  await upload(signed, Buffer.from("first"));
  await expect(upload(signed, Buffer.from("other"))).rejects.toThrow("412");
});

test("a busy bucket is asked again", async () => {
  peer.failNext(2);
  await store.put("busy/bucket", megabytes(1), { contentType: "a/b", leastBytes: MIB, mostBytes: MIB });
  expect(await store.head("busy/bucket")).toEqual({ sizeBytes: MIB });
});

test("a bucket that fails half way lets go of the stream of the file", async () => {
  let isReleased = false;
  async function* body() {
    try {
      yield* megabytes(4);
      peer.failNext(1000);
      yield* megabytes(16);
    } finally {
      isReleased = true;
    }
  }
  const limits = { contentType: "video/mp4", leastBytes: 20 * MIB, mostBytes: 20 * MIB };
  const put = store.put("failing/bucket", body(), limits);
  await expect(put.finally(() => peer.failNext(0))).rejects.toThrow("503");
  expect(isReleased).toBe(true);
});

test("with another secret nothing is read or written", async () => {
  const stranger = createS3Store({ ...peer.settings, secretAccessKey: "guessed" });
  await expect(stranger.head("busy/bucket")).rejects.toThrow("403");
  await expect(stranger.delete("busy/bucket")).rejects.toThrow("403");
});

describe("the probe of a bucket", () => {
  test("passes, and sees whether uploaded objects can be replaced", async () => {
    const other = await startFakeS3();
    const bucket = createS3Store(other.settings);
    expect(await bucket.probe?.()).toBeNull();
    expect(await bucket.refusesReplacement?.()).toBe(true);
    other.ignoreConditions();
    expect(await bucket.refusesReplacement?.()).toBe(false);
    for await (const page of bucket.list()) expect(page).toEqual([]);
    await other.close();
    expect(await bucket.probe?.()).toMatch(/^S3_ENDPOINT: .* can't be reached \(ECONNREFUSED\)/);
  });

  test.each([
    [404, "NoSuchBucket", /^S3_BUCKET: there is no bucket files/],
    [403, "SignatureDoesNotMatch", /^S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are refused/],
    [403, "InvalidAccessKeyId", /^S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are refused/],
    [403, "AccessDenied", /may not list the bucket files/],
    [403, "RequestTimeTooSkewed", /clock of this machine/],
    [301, "PermanentRedirect", /^S3_REGION/],
    [500, "InternalError", /returns 500 \(InternalError\)/],
  ])("names what to correct after %i %s", async (status, code, sentence) => {
    const refusing = http.createServer((_, response) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`),
    );
    await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
    const { port } = refusing.address() as AddressInfo;
    const bucket = createS3Store({ ...peer.settings, endpoint: `http://127.0.0.1:${port}` });
    expect(await bucket.probe?.()).toMatch(sentence);
    refusing.close();
  });

  test.each([-20, 20])(
    "sees a clock that is %i minutes off, also where signatures are not refused",
    async (minutes) => {
      const date = new Date(Date.now() + minutes * 60_000).toUTCString();
      const other = http.createServer((_, response) =>
        response.writeHead(200, { date }).end("<ListBucketResult/>"),
      );
      await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
      const { port } = other.address() as AddressInfo;
      const bucket = createS3Store({ ...peer.settings, endpoint: `http://127.0.0.1:${port}` });
      expect(await bucket.probe?.()).toMatch(/clock of this machine is (19|20|21) minutes/);
      other.close();
    },
  );
});

test("the peer's check is that of the published example", () => {
  // docs.aws.amazon.com, "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)".
  const url = new URL(
    "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256" +
      "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z" +
      "&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
      "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  );
  const keys = {
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    region: "us-east-1",
  };
  const request = { method: "GET", url, headers: { host: url.host }, keys, at: Date.UTC(2013, 4, 24, 1) };
  expect(findSignatureError(request)).toBeNull();
  expect(findSignatureError({ ...request, method: "PUT" })).toBe("SignatureDoesNotMatch");
  expect(findSignatureError({ ...request, at: Date.UTC(2013, 4, 25, 1) })).toContain("expired");
});

test.skipIf(process.env.TEST_S3_BUCKET === undefined)(
  "a real bucket (TEST_S3_BUCKET) does the same",
  async () => {
    const { TEST_S3_BUCKET: bucket = "", TEST_S3_ENDPOINT: endpoint = "" } = process.env;
    const {
      TEST_S3_KEY: accessKeyId = "",
      TEST_S3_SECRET: secretAccessKey = "",
      TEST_S3_REGION: region = "us-east-1",
    } = process.env;
    const real = createS3Store({ bucket, endpoint, accessKeyId, secretAccessKey, region, pathStyle: true });
    const key = `trunkline-test/${crypto.randomUUID()}`;
    await upload(
      await real.signPut(key, { contentType: "image/png", sizeBytes: 5, ttlSeconds: 60 }),
      Buffer.from("bytes"),
    );
    expect(await real.head(key)).toEqual({ sizeBytes: 5 });
    await real.delete(key);
    expect(await real.head(key)).toBeNull();
  },
);

async function* megabytes(count: number, breaksWith?: string) {
  for (let number = 0; number < count; number++) yield new Uint8Array(MIB).fill(number);
  if (breaksWith !== undefined) throw new Error(breaksWith);
}

// A client without fetch, because fetch never sends a wrong length.
function upload(signed: SignedPut, body: Uint8Array, changed: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(signed.url, {
      method: signed.method,
      headers: { ...signed.headers, ...changed },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      response.resume();
      const status = response.statusCode ?? 0;
      if (status === 200) return resolve();
      request.destroy();
      reject(status === 403 ? new SignatureRefused("403") : new Error(String(status)));
    });
    request.end(body);
  });
}
