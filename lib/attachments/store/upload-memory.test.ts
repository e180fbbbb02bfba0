import "@/lib/testing/use-test-database";

import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import { createApiRouter } from "@/lib/runtime/server/api-router";
import { listen } from "@/lib/runtime/server/http-server";
import { callApi } from "@/lib/testing/call-api";
import type { UploadedFile } from "@/lib/testing/call-files";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { watchMemory } from "@/lib/testing/processes/watch-memory";
import { FILES } from "@/lib/testing/samples/file-samples";

const MIB = 1024 * 1024;
const SIZE = 100 * MIB;
// A process that holds the whole file in memory even once exceeds this.
const MAX_GROWTH = 0.9 * SIZE;

test("100 MB go up and down through the server, and memory stays flat", async () => {
  const api = createApiRouter(routes);
  const pages = () => undefined;
  const server = await listen({ host: "127.0.0.1", port: 0, api, apiThroughNext: false, pages });
  const { port } = server.address() as AddressInfo;
  const account = await createTestAccount({ type: "production" });
  const { body: file } = await callApi("POST /v3/attachments", {
    token: account.token,
    body: { filename: "video.mp4", content_type: "video/mp4", size_bytes: SIZE },
  });

  const watch = watchMemory(MAX_GROWTH);
  const up = await send(port, file);
  const down = await receive(port, file);
  const grown = watch.stop();
  await new Promise((resolve) => server.close(resolve));

  expect(up).toBe(200);
  expect(down).toBe(SIZE);
  expect(grown).toBeLessThan(MAX_GROWTH);
}, 240_000);

function send(port: number, file: UploadedFile): Promise<number> {
  const { pathname, search } = new URL(file.upload_url);
  return new Promise((resolve, reject) => {
    const put = request(
      { port, method: "PUT", path: pathname + search, headers: file.required_headers },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    put.on("error", reject);
    put.write(FILES.mp4);
    let left = SIZE - FILES.mp4.length;
    const zeros = Buffer.alloc(64 * 1024);
    const pour = () => {
      while (left > 0) {
        const chunk = zeros.subarray(0, left);
        left -= chunk.length;
        if (!put.write(chunk)) return void put.once("drain", pour);
      }
      put.end();
    };
    pour();
  });
}

function receive(port: number, file: UploadedFile): Promise<number> {
  const { pathname } = new URL(file.download_url);
  return new Promise((resolve, reject) => {
    const get = request({ port, path: pathname }, (answer) => {
      let size = 0;
      answer.on("data", (chunk: Buffer) => {
        size += chunk.length;
      });
      answer.on("end", () => resolve(size));
      answer.on("error", reject);
    });
    get.on("error", reject);
    get.end();
  });
}
