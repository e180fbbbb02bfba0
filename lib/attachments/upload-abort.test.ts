import "@/lib/testing/use-test-database";

import { readdirSync } from "node:fs";
import { request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import { env } from "@/lib/platform/env";
import { createApiRouter } from "@/lib/runtime/server/api-router";
import { listen } from "@/lib/runtime/server/http-server";
import { callApi } from "@/lib/testing/call-api";
import { type UploadedFile, uploadFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { FILES } from "@/lib/testing/file-samples";
import { until } from "@/lib/testing/until";

const SIZE = 8 * 1024 * 1024;
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

function arriving(): string[] {
  try {
    return readdirSync(path.join(env().DATA_DIR, "objects", "arriving"));
  } catch {
    return [];
  }
}
