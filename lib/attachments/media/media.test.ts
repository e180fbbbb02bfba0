import "@/lib/testing/use-test-database";

import { renameSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { objectFileIn } from "@/lib/adapters/storage/registry";
import { objectKey } from "@/lib/attachments/attachment";
import { getAttachmentView } from "@/lib/attachments/files/get-attachment-view";
import { downloadMedia } from "@/lib/attachments/media/download-media";
import { LOST_FILE } from "@/lib/attachments/store/is-lost";
import { renderEvent } from "@/lib/events/catalog/render-event";
import { toWholeData } from "@/lib/events/store/stored-data";
import type { Context } from "@/lib/platform/context";
import { prisma, sql } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { fetchFile, type UploadedFile, uploadFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { createTestPhone, untilStatus } from "@/lib/testing/factories";
import { FILES, sampleImage } from "@/lib/testing/samples/file-samples";
import { until } from "@/lib/testing/until";

process.env.MEDIA_ALLOW_PRIVATE = "127.0.0.1";

const MIB = 1024 * 1024;

let account: TestAccount;
let chatId: string;
let png: Buffer;
let files: Awaited<ReturnType<typeof startFileServer>>;

beforeAll(async () => {
  account = await createTestAccount({ type: "production" });
  ({ chatId } = await account.sendFirst("+15550008888"));
  png = await sampleImage("png");
  files = await startFileServer();
});

afterAll(() => files.close());

function send(parts: object[], more: object = {}, token = account.token) {
  return callApi(`POST /v3/chats/${chatId}/messages`, { token, body: { message: { parts, ...more } } });
}

const media = (path: string) => ({ type: "media", url: `${files.url}${path}` });

async function upload(of: TestAccount, content = png, more: object = {}): Promise<UploadedFile> {
  const { body } = await callApi("POST /v3/attachments", {
    token: of.token,
    body: { filename: "a.png", content_type: "image/png", size_bytes: content.length, ...more },
  });
  expect((await uploadFile(body, content)).status).toBe(200);
  return body;
}

const attachments = () => prisma().attachment.count({ where: { accountId: account.ref.id } });

describe("a file by url", () => {
  test("is downloaded, checked and stored before the 202, and shown with an address good for an hour", async () => {
    const { status, body } = await send([media("/menu.png"), { type: "text", value: "Tonight" }]);
    expect(status).toBe(202);
    const [part] = body.message.parts;
    expect(part).toEqual({
      type: "media",
      id: expect.any(String),
      filename: "menu.png",
      mime_type: "image/png",
      size_bytes: png.length,
      url: expect.stringMatching(
        /^http:\/\/trunkline\.test\/attachments\/partners\/.+\/menu\.png\?expires=\d+&signature=/,
      ),
      reactions: null,
    });
    expect((await fetchFile(part.url)).bytes.equals(png)).toBe(true);

    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61 * 60_000 });
    const late = await fetchFile(part.url);
    vi.useRealTimers();
    expect(late.status).toBe(403);
  });

  test("up to three redirects are followed", async () => {
    const { status, body } = await send([media("/redirect/3/a.png")]);
    expect([status, body.message.parts[0].size_bytes]).toEqual([202, png.length]);
  });

  test("without an extension it is what its bytes are", async () => {
    const { body } = await send([media("/plain")]);
    expect(body.message.parts[0]).toMatchObject({ filename: "plain.png", mime_type: "image/png" });
  });

  test("the same url twice is downloaded once, and four come at a time", async () => {
    const before = files.asked.length;
    const parts = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => media(`/slow/${number}.png`));
    const { status } = await send([...parts, media("/slow/1.png")]);
    expect(status).toBe(202);
    expect(files.asked.length - before).toBe(8);
    expect(files.mostHeld()).toBe(4);
  });

  test.each([
    ["404", "/missing/a.png", 5007],
    ["more than three redirects", "/redirect/4/a.png", 5007],
    ["a redirect to where it may not go", "/redirect/away/a.png", 5007],
    ["a download that breaks off", "/broken/a.png", 5007],
    ["more than 10 MB by its own word", "/announced/a.png", 5005],
    ["an HTML page declared as an image", "/page/a.png", 5006],
    ["an executable declared as an image", "/elf/a.jpg", 5006],
    ["nothing at all", "/empty/a.png", 5006],
    ["a type that is not accepted by url", "/a.webp", 5004],
    ["an executable by its name", "/a.exe", 5004],
    ["an executable without a name", "/elf/a", 5004],
  ])("%s is refused and nothing is kept", async (_, path, code) => {
    const before = await attachments();
    const { status, body } = await send([media("/menu.png"), media(path)]);
    expect([status, body.error.code]).toEqual([400, code]);
    expect(await attachments()).toBe(before);
  });

  test("more than 10 MB without a word of it is cut off while it comes", async () => {
    const before = files.bytesSent();
    const { body } = await send([media("/endless/a.png")]);
    expect(body.error.code).toBe(5005);
    expect(files.bytesSent() - before).toBeLessThan(30 * MIB);
  });

  test.each([
    "https://10.0.0.1/a.png",
    "https://[::1]/a.png",
    "https://169.254.169.254/latest/meta-data/a.png",
    "https://localhost/a.png",
    "http://127.0.0.2/a.png",
    "http://example.com/a.png",
    "https://user:secret@example.com/a.png",
  ])("%s is never asked", async (url) => {
    const { status, body } = await send([{ type: "media", url }]);
    expect([status, body.error.code]).toEqual([400, 5007]);
  });

  test.each([
    ["both", { type: "media", url: "https://example.com/a.png", attachment_id: crypto.randomUUID() }],
    ["no url at all", { type: "media", url: "menu.png" }],
    ["ftp", { type: "media", url: "ftp://example.com/a.png" }],
    ["2049 characters", { type: "media", url: `https://example.com/${"a".repeat(2048)}.png` }],
    ["no uuid", { type: "media", attachment_id: "1" }],
  ])("%s is 1004", async (_, part) => {
    const { status, body } = await send([part]);
    expect([status, body.error.code]).toEqual([400, 1004]);
  });

  test("forty may have a public url, one more may not; our own addresses do not count", async () => {
    const urls = Array.from({ length: 41 }, (_, index) => media(`/n/${index}.png`));
    expect((await send(urls)).body.error.code).toBe(1004);
    const { download_url } = await upload(account);
    const own = Array.from({ length: 41 }, () => ({ type: "media", url: download_url }));
    expect((await send(own)).status).toBe(202);
  });

  test("a server that hangs is given up at the end of the time", async () => {
    for (const path of ["/hangs/a.png", "/drips/a.png"]) {
      const download = downloadMedia(
        account.ref.id,
        new URL(`${files.url}${path}`),
        AbortSignal.timeout(300),
      );
      await expect(download).rejects.toMatchObject({ errorName: "image_download_failed" });
    }
  });

  test("a chat of another account, or none, is refused before anything is downloaded", async () => {
    const other = await createTestAccount({ type: "production" });
    const before = files.asked.length;
    const foreign = await send([media("/menu.png")], {}, other.token);
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 2005]);
    expect(files.asked.length).toBe(before);
  });

  test("is not kept when its send is refused", async () => {
    const before = await attachments();
    const more = { reply_to: { message_id: crypto.randomUUID() } };
    expect((await send([media("/menu.png")], more)).body.error.code).toBe(2002);
    expect(await attachments()).toBe(before);
  });

  test("a repeat of a key downloads nothing and answers the original", async () => {
    const first = await send([media("/menu.png")], { idempotency_key: "menu" });
    const before = files.asked.length;
    const again = await send([media("/missing/other.png")], { idempotency_key: "menu" });
    expect(again.body.message).toMatchObject({
      id: first.body.message.id,
      parts: [{ filename: "menu.png" }],
    });
    expect(files.asked.length).toBe(before);
  });

  test("a first message may carry it too", async () => {
    const { status, body } = await callApi("POST /v3/chats", {
      token: account.token,
      body: { from: account.line, to: ["+15550008899"], message: { parts: [media("/menu.png")] } },
    });
    expect([status, body.chat.message.parts[0].filename]).toEqual([201, "menu.png"]);
  });
});

describe("a file by attachment", () => {
  test("takes one statement more than a text, authentication included", async () => {
    const { attachment_id } = await upload(account);
    expect(await countStatements(() => send([{ type: "media", attachment_id }]))).toBe(3);
  });

  test("its own address on the CDN host is the same file, without a download", async () => {
    const { attachment_id, download_url } = await upload(account);
    const { body } = await send([{ type: "media", url: download_url }]);
    expect(body.message.parts[0].id).toBe(attachment_id);
    const again = await send([{ type: "media", url: body.message.parts[0].url }]);
    expect(again.body.message.parts[0].id).toBe(attachment_id);
  });

  test("another account's is 404/2003, by id and by address, as an unknown one", async () => {
    const other = await createTestAccount({ type: "production" });
    const { attachment_id, download_url } = await upload(other);
    for (const part of [
      { type: "media", attachment_id },
      { type: "media", url: download_url },
      { type: "media", attachment_id: crypto.randomUUID() },
      { type: "media", url: "http://trunkline.test/somewhere/else.png" },
    ]) {
      const { status, body } = await send([part]);
      expect([status, body.error.code]).toEqual([404, 2003]);
    }
  });

  test("one that is not uploaded yet is 404/2007", async () => {
    const { body: announced } = await callApi("POST /v3/attachments", {
      token: account.token,
      body: { filename: "a.png", content_type: "image/png", size_bytes: 10 },
    });
    const { status, body } = await send([{ type: "media", attachment_id: announced.attachment_id }]);
    expect([status, body.error.code]).toEqual([404, 2007]);
  });

  test("a sticker must be an image", async () => {
    const { attachment_id } = await upload(account, FILES.pdf, {
      filename: "a.pdf",
      content_type: "application/pdf",
    });
    expect((await send([{ type: "media", attachment_id, sticker: true }])).body.error.code).toBe(1004);
  });

  test("deleted, its part keeps name, type and size, everywhere a message is shown", async () => {
    const { attachment_id } = await upload(account);
    const sent = await send([
      { type: "text", value: "look" },
      { type: "media", attachment_id },
    ]);
    const [, part] = sent.body.message.parts;
    await callApi(`DELETE /v3/attachments/${attachment_id}`, { token: account.token });

    const { body } = await callApi(`GET /v3/messages/${sent.body.message.id}`, { token: account.token });
    expect(body.parts).toEqual([sent.body.message.parts[0], { ...part, id: null, url: null }]);
    expect((await fetchFile(part.url)).status).toBe(404);
    const list = await callApi(`GET /v3/chats/${chatId}/messages`, { token: account.token });
    expect(JSON.stringify(list.body)).not.toContain(attachment_id);
  });
});

describe("with the whole worker", () => {
  let worker: Worker;
  let sandbox: TestAccount;

  beforeAll(async () => {
    sandbox = await createTestAccount({ type: "sandbox" });
    worker = await startWorker();
  });
  afterAll(() => worker.stop());

  const write = (phone: string, body: object) =>
    callApi(`POST /simulator/phones/${encodeURIComponent(phone)}/messages`, { token: sandbox.token, body });

  test("a phone gets the file; TIFF arrives as JPEG; events carry its permanent URL", async () => {
    const phone = await createTestPhone(sandbox);
    const { body: hello } = await write(phone, { to: sandbox.line, text: "hi" });
    const tiff = await sampleImage("tiff");
    const { attachment_id } = await upload(sandbox, tiff, {
      filename: "scan.tiff",
      content_type: "image/tiff",
    });
    const { body } = await callApi(`POST /v3/chats/${hello.chat_id}/messages`, {
      token: sandbox.token,
      body: { message: { parts: [{ type: "media", attachment_id, sticker: true }] } },
    });
    await untilStatus(sandbox, body.message.id, "delivered");

    const phones = await callApi("GET /simulator/phones", { token: sandbox.token });
    const shown = phones.body.phones.find(({ handle }: { handle: string }) => handle === phone);
    expect(shown.messages[0].parts).toEqual([
      {
        type: "media",
        attachmentId: attachment_id,
        filename: "scan.jpg",
        mimeType: "image/jpeg",
        sizeBytes: expect.any(Number),
        sticker: true,
      },
    ]);

    const event = await prisma().event.findFirstOrThrow({
      where: { messageId: body.message.id, type: "message.delivered" },
    });
    expect(JSON.stringify(event.data)).not.toContain("http");
    for (const version of ["2025-01-01", "2026-02-03"] as const) {
      const whole = { ...event, data: toWholeData(event.data) };
      const text = JSON.stringify(renderEvent(whole, sandbox.ref.partnerId, version));
      const url = /http:[^"]+scan\.tiff(?=")/.exec(text)?.[0] ?? "";
      expect((await fetchFile(url)).bytes.equals(tiff)).toBe(true);
    }
  });

  test("a file deleted before it was sent fails the message", async () => {
    const phone = await createTestPhone(sandbox);
    const { body: hello } = await write(phone, { to: sandbox.line, text: "hi" });
    const { attachment_id } = await upload(sandbox);
    await sql.runText({
      text: "update lines set is_up = false where account_id = $1",
      values: [sandbox.ref.id],
    });
    const { body } = await callApi(`POST /v3/chats/${hello.chat_id}/messages`, {
      token: sandbox.token,
      body: { message: { parts: [{ type: "media", attachment_id }] } },
    });
    await callApi(`DELETE /v3/attachments/${attachment_id}`, { token: sandbox.token });
    await sql.runText({
      text: "update lines set is_up = true where account_id = $1",
      values: [sandbox.ref.id],
    });
    await untilStatus(sandbox, body.message.id, "failed");
  });

  test.each([
    ["in base64", async () => ({ data: png.toString("base64"), filename: "photo.png" })],
    ["by url", async () => ({ url: `${files.url}/photo.png` })],
    [
      "as an upload",
      async () => ({ attachment_id: (await upload(sandbox)).attachment_id, filename: "photo.png" }),
    ],
  ])("a phone sends a file %s: it is the account's own, in message.received too", async (_, from) => {
    const phone = await createTestPhone(sandbox);
    const part = { type: "media", ...(await from()) };
    const { status, body } = await write(phone, { to: sandbox.line, parts: [part] });
    expect(status).toBe(201);
    const { body: message } = await callApi(`GET /v3/messages/${body.message_id}`, { token: sandbox.token });
    expect(message.parts).toMatchObject([{ type: "media", filename: "photo.png", size_bytes: png.length }]);
    expect((await fetchFile(message.parts[0].url)).bytes.equals(png)).toBe(true);

    const attachment = await callApi(`GET /v3/attachments/${message.parts[0].id}`, { token: sandbox.token });
    expect(attachment.body.status).toBe("complete");
    const event = await until(() =>
      prisma().event.findFirst({ where: { messageId: body.message_id, type: "message.received" } }),
    );
    const shown = JSON.stringify(renderEvent(event, sandbox.ref.partnerId, "2026-02-03"));
    const url = /http:[^"]+photo\.png(?=")/.exec(shown)?.[0] ?? "";
    expect((await fetchFile(url)).bytes.equals(png)).toBe(true);
  });

  test.each([
    [
      "a lying file",
      { data: FILES.elf.toString("base64"), filename: "a.jpg", content_type: "image/jpeg" },
      5006,
    ],
    ["a file of no accepted type", { data: FILES.elf.toString("base64"), filename: "a.bin" }, 5004],
    ["more than 1 MB of base64", { data: "A".repeat(1_500_000), filename: "a.txt" }, 1005],
    ["base64 without a name", { data: "QQ==" }, 1005],
    ["nothing", {}, 1005],
  ])("%s from a phone is refused", async (_, part, code) => {
    const phone = await createTestPhone(sandbox);
    const { status, body } = await write(phone, { to: sandbox.line, parts: [{ type: "media", ...part }] });
    expect([status, body.error.code]).toEqual([400, code]);
  });
});

function redirectFrom(path: string): string {
  const [, , left] = path.split("/");
  if (left === "away") return "https://169.254.1.1/a.png";
  return left === "1" ? "/menu.png" : `/redirect/${Number(left) - 1}/a.png`;
}

/** A partner's file server on loopback. Each path behaves differently. */
async function startFileServer() {
  const asked: string[] = [];
  let sent = 0;
  const held: http.ServerResponse[] = [];
  let mostHeld = 0;
  const server = http.createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const [, kind] = path.split("/");
    if (kind === "missing") return void response.writeHead(404).end("no");
    if (kind === "redirect") return void response.writeHead(302, { location: redirectFrom(path) }).end();
    if (kind === "announced") return void response.writeHead(200, { "content-length": 11 * MIB }).end();
    if (kind === "page") return void response.end(FILES.html);
    if (kind === "elf") return void response.end(FILES.elf);
    if (kind === "empty") return void response.end();
    if (kind === "slow") return void holdUntilFour(response);
    if (kind === "hangs") return;
    if (kind === "drips") return void response.write(png.subarray(0, 10));
    if (kind === "endless") return pour(response);
    if (kind !== "broken") return void response.end(png);
    response.writeHead(200, { "content-length": png.length });
    response.write(png.subarray(0, 10), () => response.destroy());
  });
  // Answers four requests once all four have arrived, and shortly after, so that a fifth would be seen.
  function holdUntilFour(response: http.ServerResponse): void {
    held.push(response);
    mostHeld = Math.max(mostHeld, held.length);
    if (held.length === 4) setTimeout(() => held.splice(0).forEach((each) => void each.end(png)), 50);
  }
  function pour(response: http.ServerResponse): void {
    if (response.destroyed) return;
    const chunk = Buffer.alloc(256 * 1024);
    sent += chunk.length;
    if (sent > 200 * MIB) return void response.end();
    response.write(chunk, () => pour(response));
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    bytesSent: () => sent,
    /** The highest number of responses to /slow that were awaited at the same time. */
    mostHeld: () => mostHeld,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a file that the store lost is named by its attachment and by the send, until it is back", async () => {
  const { attachment_id } = await upload(account);
  const part = { type: "media", attachment_id };
  const file = objectFileIn(
    env().DATA_DIR,
    objectKey({ accountId: account.ref.id, attachmentId: attachment_id }),
  );
  renameSync(file, `${file}.away`);

  const shown = () => callApi(`GET /v3/attachments/${attachment_id}`, { token: account.token });
  expect(await shown()).toMatchObject({ status: 200, body: { status: "pending" } });
  const refused = await send([part]);
  expect([refused.status, refused.body.error.code]).toEqual([404, 2007]);
  expect(refused.body.error.message).toContain("the stored file is missing");
  const view = await getAttachmentView({ account: account.ref } as Context, {
    params: { attachmentId: attachment_id },
  });
  expect(view.attachment).toMatchObject({ status: "pending", fault: LOST_FILE, url: null, preview: null });

  renameSync(`${file}.away`, file);
  expect((await shown()).body).toMatchObject({ status: "complete" });
  expect((await send([part])).status).toBe(202);
});
