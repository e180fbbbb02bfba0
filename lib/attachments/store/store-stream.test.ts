import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import { storeFile } from "@/lib/attachments/store/store-file";
import { reloadEnv } from "@/lib/platform/env";
import { callApi } from "@/lib/testing/call-api";
import { fetchFile, uploadFile } from "@/lib/testing/call-files";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { FILES, sampleImage, sampleZip } from "@/lib/testing/samples/file-samples";
import { type FakeS3, startFakeS3 } from "@/lib/testing/servers/start-fake-s3";
import { until } from "@/lib/testing/until";

const ACCOUNT = "01a00000-0000-7000-8000-000000000000";
const NAMES = [
  "S3_BUCKET",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "S3_REGION",
  "S3_ENDPOINT",
  "S3_PATH_STYLE",
];

let peer: FakeS3;

beforeEach(async () => {
  peer = await startFakeS3();
  const { bucket, accessKeyId, secretAccessKey, region, endpoint } = peer.settings;
  const values = [bucket, accessKeyId, secretAccessKey, region, endpoint, "true"];
  for (const [index, name] of NAMES.entries()) process.env[name] = values[index];
  reloadEnv();
});

afterEach(async () => {
  for (const name of NAMES) delete process.env[name];
  reloadEnv();
  await peer.close();
});

async function store(bytes: Buffer, contentType: string | null = null) {
  async function* body() {
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  }
  return storeFile({ accountId: ACCOUNT, filename: "file", contentType, mostBytes: 1e7, body: body() });
}

const asked = (method: string) => peer.asked.filter((one) => one.startsWith(`${method} `));

test("a file in a bucket is stored, hashed and typed in one pass: nothing of it is read again", async () => {
  for (const [bytes, type] of [
    [await sampleImage("png"), "image/png"],
    [FILES.mp4, "video/mp4"],
    [FILES.pkpass, "application/vnd.apple.pkpass"],
  ] as const) {
    expect(await store(bytes, type)).toMatchObject({ contentType: type, sizeBytes: bytes.length });
  }
  expect(asked("PUT")).toHaveLength(3);
  expect(asked("GET")).toEqual([]);
});

test("a type in the middle of a file is read from the bucket", async () => {
  const names = Array.from({ length: 1900 }, (_, index) => `word/${index}/${"n".repeat(60)}`);
  const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  expect(await store(sampleZip(["[Content_Types].xml", ...names]), type)).toMatchObject({
    contentType: type,
  });
  expect(asked("GET")).toHaveLength(1);
});

test("a file of another type is refused, and its bytes are deleted", async () => {
  await expect(store(FILES.elf, "image/png")).rejects.toMatchObject({ errorName: "content_type_mismatch" });
  expect(asked("DELETE")).toHaveLength(1);
});

test("through a bucket without conditional writes no upload URL replaces a file that was checked", async () => {
  peer.ignoreConditions();
  const { token } = await createTestAccount({ type: "production" });
  const png = await sampleImage("png");
  const announced = { filename: "a.png", content_type: "image/png", size_bytes: png.length };
  const { body: file } = await callApi("POST /v3/attachments", { token, body: announced });
  expect(new URL(file.upload_url).origin).not.toBe(peer.settings.endpoint);

  const other = Buffer.from(png);
  other[other.length - 20] = 0;
  // An upload of the same type that began earlier and ends later than the one that is checked.
  let finish: () => void = () => undefined;
  const checked = new Promise<void>((resolve) => {
    finish = resolve;
  });
  async function* slow() {
    yield other.subarray(0, -1);
    await checked;
    yield other.subarray(-1);
  }
  const later = uploadFile(file, slow());
  await until(() => asked("HEAD").length > 0);
  expect((await uploadFile(file, png)).status).toBe(200);
  finish();
  expect((await later).status).toBe(409);
  expect((await uploadFile(file, png)).status).toBe(409);

  const { body: shown } = await callApi(`GET /v3/attachments/${file.attachment_id}`, { token });
  expect(shown.status).toBe("complete");
  expect((await fetchFile(file.download_url)).bytes.equals(png)).toBe(true);
});

test("an upload that goes directly to the bucket is typed when it is read", async () => {
  const account = await createTestAccount({ type: "production" });
  const png = await sampleImage("png");
  const { token } = account;
  const announced = { filename: "a.png", content_type: "image/png", size_bytes: png.length };
  const { body: file } = await callApi("POST /v3/attachments", { token, body: announced });
  const { "Content-Length": _, ...headers } = file.required_headers;
  const put = await fetch(file.upload_url, { method: "PUT", headers, body: new Uint8Array(png) });
  expect(put.status).toBe(200);

  const { body: shown } = await callApi(`GET /v3/attachments/${file.attachment_id}`, { token });
  expect(shown.status).toBe("complete");
  expect(asked("GET").length).toBeGreaterThan(0);
});
