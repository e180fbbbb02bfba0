import "@/lib/testing/use-test-database";

import { readdirSync } from "node:fs";
import { type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import { env, reloadEnv } from "@/lib/platform/env";
import { createApiRouter } from "@/lib/runtime/server/api-router";
import { listen } from "@/lib/runtime/server/http-server";
import { callApi } from "@/lib/testing/call-api";
import { type UploadedFile, uploadFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { FILES } from "@/lib/testing/samples/file-samples";
import { until } from "@/lib/testing/until";

const SIZE = 24 * 1024 * 1024;
const video = Buffer.concat([FILES.mp4, Buffer.alloc(SIZE - FILES.mp4.length)]);

let server: Server;
let account: TestAccount;

beforeAll(async () => {
  const api = createApiRouter(routes);
  server = await listen({ host: "127.0.0.1", port: 0, api, apiThroughNext: false, pages: () => undefined });
  account = await createTestAccount({ type: "production" });
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

test("a client that goes away half way leaves no bytes, and may come again", async () => {
  const file = await announce();
  const put = open(file);
  put.on("error", () => undefined);
  put.write(video.subarray(0, SIZE / 2));
  await until(async () => arriving().length === 1);
  put.destroy();
  await until(async () => arriving().length === 0);

  expect((await uploadFile(file, video)).status).toBe(200);
});

test("a client that sends what was not signed hears so, whatever it still has to send", async () => {
  const file = await announce();
  const status = await new Promise<number>((resolve, reject) => {
    const put = open({
      ...file,
      required_headers: { ...file.required_headers, "Content-Type": "image/png" },
    });
    put.on("response", (answer) => resolve(answer.statusCode ?? 0));
    put.on("error", reject);
    put.end(video);
  });
  expect(status).toBe(403);
  expect(arriving()).toEqual([]);
});

test("a client whose upload is refused half way hears so, whatever it still has to send", async () => {
  const file = await announce();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const put = open(file);
    put.on("response", resolve);
    put.on("error", reject);
    put.write(video.subarray(0, SIZE / 2));
    until(async () => arriving().length === 1)
      .then(() => {
        setReserve("10000000");
        put.write(video.subarray(SIZE / 2));
      })
      .catch(reject);
  });
  const body = JSON.parse(await text(answer));
  setReserve(undefined);
  expect([answer.statusCode, body.error.code]).toEqual([503, 4004]);
  await until(async () => arriving().length === 0);

  expect((await uploadFile(file, video)).status).toBe(200);
});

test("the attachment is pending until the whole file is stored", async () => {
  const file = await announce();
  const put = open(file);
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    put.on("response", resolve);
    put.on("error", reject);
  });
  put.write(video.subarray(0, SIZE - 1));
  await until(async () => arriving().length === 1);
  const shown = () => callApi(`GET /v3/attachments/${file.attachment_id}`, { token: account.token });
  expect((await shown()).body.status).toBe("pending");

  put.end(video.subarray(SIZE - 1));
  expect((await answered).resume().statusCode).toBe(200);
  expect((await shown()).body.status).toBe("complete");
  expect(arriving()).toEqual([]);
});

async function announce(): Promise<UploadedFile> {
  const { body } = await callApi("POST /v3/attachments", {
    token: account.token,
    body: { filename: "video.mp4", content_type: "video/mp4", size_bytes: SIZE },
  });
  return body;
}

function open({ upload_url, required_headers }: UploadedFile) {
  const { port } = server.address() as AddressInfo;
  const { pathname, search } = new URL(upload_url);
  return request({ port, method: "PUT", path: pathname + search, headers: required_headers });
}

function setReserve(megabytes: string | undefined): void {
  if (megabytes === undefined) delete process.env.DISK_RESERVE_MB;
  else process.env.DISK_RESERVE_MB = megabytes;
  reloadEnv();
}

function arriving(): string[] {
  try {
    return readdirSync(path.join(env().DATA_DIR, "objects", "arriving"));
  } catch {
    return [];
  }
}
