import { afterAll, beforeAll, expect, test } from "vitest";
import { objectStore } from "@/lib/adapters/storage/registry";
import { objectKey } from "@/lib/attachments/attachment";
import { findLost } from "@/lib/attachments/store/is-lost";
import { reloadEnv } from "@/lib/platform/env";
import { type FakeS3, startFakeS3 } from "@/lib/testing/servers/start-fake-s3";

let bucket: FakeS3;
const NAMES = [
  "S3_BUCKET",
  "S3_ENDPOINT",
  "S3_REGION",
  "S3_PATH_STYLE",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
];

beforeAll(async () => {
  bucket = await startFakeS3();
  const { bucket: name, endpoint, region, accessKeyId, secretAccessKey } = bucket.settings;
  const values = [name, endpoint, region, "1", accessKeyId, secretAccessKey];
  for (const [at, each] of NAMES.entries()) process.env[each] = values[at];
  reloadEnv();
});

afterAll(async () => {
  for (const each of NAMES) delete process.env[each];
  reloadEnv();
  await bucket.close();
});

const newFile = () => ({ id: crypto.randomUUID(), account_id: crypto.randomUUID() });

test("lost files are found among others, four checks at a time", async () => {
  const files = Array.from({ length: 10 }, newFile);
  const [here, ...others] = files;
  const key = objectKey({ accountId: here?.account_id ?? "", attachmentId: here?.id ?? "" });
  const limits = { contentType: "text/plain", leastBytes: 1, mostBytes: 1 };
  await objectStore().put(
    key,
    (async function* () {
      yield Buffer.from("a");
    })(),
    limits,
  );
  let held = 0;
  let most = 0;
  bucket.beforeAnswer(async () => {
    most = Math.max(most, ++held);
    await new Promise((resolve) => setTimeout(resolve, 20));
    held--;
  });
  expect(await findLost(files)).toEqual(new Set(others.map(({ id }) => id)));
  expect(most).toBe(4);
});

test("a bucket that does not answer holds no send: its files are not lost, and no further ones are asked for", async () => {
  bucket.beforeAnswer(() => new Promise(() => undefined));
  const before = bucket.asked.length;
  expect(await findLost(Array.from({ length: 10 }, newFile))).toEqual(new Set());
  expect(bucket.asked.length - before).toBe(4);
});
