import { captureLog } from "@/lib/testing/capture-log";

import "@/lib/testing/use-test-database";

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as previewRoute } from "@/app/api/attachments/[attachmentId]/preview/route";
import { objectStore } from "@/lib/adapters/storage/registry";
import { objectKey, previewKey } from "@/lib/attachments/attachment";
import { type DeliveredFile, deliverFile } from "@/lib/attachments/conversions/deliver-file";
import { openPreview } from "@/lib/attachments/conversions/open-preview";
import { audioDuration } from "@/lib/attachments/measurements/audio-duration";
import { prisma } from "@/lib/platform/database/db";
import { startWorker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { uploadFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, untilStatus } from "@/lib/testing/factories";
import { hasTool, withoutTools } from "@/lib/testing/find-tool";
import { FILES, sampleImage } from "@/lib/testing/samples/file-samples";

const logged = captureLog();

const hasFfmpeg = hasTool("ffmpeg");
const hasHeif = hasTool("heif-convert") && hasTool("heif-enc");
const FFMPEG = hasFfmpeg ? "" : " (skipped: ffmpeg is not installed)";
const HEIF = hasHeif ? "" : " (skipped: libheif-examples is not installed)";

let account: TestAccount;
let folder: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  folder = mkdtempSync(path.join(tmpdir(), "trunkline-samples-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The file of this name that a program writes. */
function made(name: string, tool: string, args: string[]): Buffer {
  const target = path.join(folder, name);
  execFileSync(tool, [...args, target], { stdio: "ignore" });
  return readFileSync(target);
}

// The format an iPhone records: Opus in CAF, two seconds.
const sampleCaf = () =>
  made("memo.caf", "ffmpeg", ["-y", "-f", "lavfi", "-i", "sine=duration=2", "-c:a", "libopus"]);

const sampleVideo = () =>
  made("video.mp4", "ffmpeg", [
    "-y",
    "-f",
    "lavfi",
    "-i",
    "testsrc=size=1280x720:duration=1",
    "-c:v",
    "mpeg4",
  ]);

async function samplePhoto(): Promise<Buffer> {
  const source = path.join(folder, "photo.png");
  writeFileSync(
    source,
    await sharp(await sampleImage("png"))
      .resize(1200, 900)
      .png()
      .toBuffer(),
  );
  return made("photo.heic", "heif-enc", [source, "-o"]);
}

async function upload(filename: string, contentType: string, content: Buffer): Promise<string> {
  const { body } = await callApi("POST /v3/attachments", {
    token: account.token,
    body: { filename, content_type: contentType, size_bytes: content.length },
  });
  expect((await uploadFile(body, content)).status).toBe(200);
  return body.attachment_id;
}

async function delivered(attachmentId: string): Promise<DeliveredFile> {
  const { filename, contentType, sizeBytes } = await rowOf(attachmentId);
  const file = { accountId: account.ref.id, attachmentId, filename, contentType };
  const found = await deliverFile({ ...file, sizeBytes: Number(sizeBytes) });
  if (found === null) throw new Error("the file is gone");
  return found;
}

function rowOf(id: string) {
  return prisma().attachment.findFirstOrThrow({ where: { accountId: account.ref.id, id } });
}

async function bytesOf(file: { open(): Promise<AsyncIterable<Uint8Array>> }): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await file.open()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("CAF audio", () => {
  test.runIf(hasFfmpeg)(`is delivered as MP4 of the same length, made once${FFMPEG}`, async () => {
    const id = await upload("memo.caf", "audio/x-caf", sampleCaf());
    const [first, second] = await Promise.all([delivered(id), delivered(id)]);

    expect(first).toMatchObject({ filename: "memo.mp4", contentType: "audio/mp4" });
    const sound = await bytesOf(first);
    expect(sound.length).toBe(first.sizeBytes);
    expect(audioDuration(sound, "audio/mp4")).toBeGreaterThan(1900);
    expect(audioDuration(sound, "audio/mp4")).toBeLessThan(2200);
    expect((await bytesOf(second)).equals(sound)).toBe(true);
    expect((await rowOf(id)).fault).toBeNull();
  });

  test.runIf(hasFfmpeg)(`that is broken is delivered as it is, and the file says why${FFMPEG}`, async () => {
    const id = await upload("broken.caf", "audio/x-caf", FILES.caf);
    expect(await delivered(id)).toMatchObject({ filename: "broken.caf", contentType: "audio/x-caf" });
    expect((await rowOf(id)).fault).toMatch(/^delivered unchanged: the audio\/x-caf file could not be read/);
  });

  test("is delivered as it is where ffmpeg is not installed: the file says so, and the log, once", async () => {
    const id = await upload("memo.caf", "audio/x-caf", FILES.caf);
    await withoutTools(async () => {
      expect(await delivered(id)).toMatchObject({ filename: "memo.caf", contentType: "audio/x-caf" });
      expect(await bytesOf(await delivered(id))).toEqual(FILES.caf);
    });
    expect((await rowOf(id)).fault).toBe("delivered unchanged: the conversion tool is not installed");
    expect(logged.filter((line) => line.includes("ffmpeg is not installed"))).toHaveLength(1);
  });
});

describe("TIFF", () => {
  test("is delivered as an upright JPEG", async () => {
    const tiff = await sharp(await sampleImage("png"))
      .resize(40, 20, { fit: "fill" })
      .withMetadata({ orientation: 6 })
      .tiff()
      .toBuffer();
    const file = await delivered(await upload("scan.tiff", "image/tiff", tiff));
    expect(file).toMatchObject({ filename: "scan.jpg", contentType: "image/jpeg" });
    expect(await sharp(await bytesOf(file)).metadata()).toMatchObject({
      format: "jpeg",
      width: 20,
      height: 40,
    });
  });

  test("that was cut short does not hold up its message: it arrives as it is, and the file says why", async () => {
    const worker = await startWorker();
    const phone = await createTestPhone(account);
    const { body: hello } = await callApi(`POST /simulator/phones/${phone}/messages`, {
      token: account.token,
      body: { to: account.line, text: "hi" },
    });
    const whole = await sharp({ create: { width: 400, height: 400, channels: 3, background: "red" } })
      .tiff({ compression: "none" })
      .toBuffer();
    const id = await upload("cut.tiff", "image/tiff", whole.subarray(0, whole.length / 2));
    const { body } = await callApi(`POST /v3/chats/${hello.chat_id}/messages`, {
      token: account.token,
      body: { message: { parts: [{ type: "media", attachment_id: id }] } },
    });
    await untilStatus(account, body.message.id, "delivered");
    await worker.stop();

    expect((await rowOf(id)).fault).toMatch(/^delivered unchanged: the image\/tiff file could not be read/);
  });
});

describe("a preview", () => {
  const preview = (id: string) => openPreview(account.context(), id);
  const read = async (id: string) => {
    const file = await preview(id);
    return sharp(await bytesOf({ open: () => file.read() })).metadata();
  };

  test.each(["jpeg", "png", "gif", "webp", "tiff"] as const)("of %s is a small WebP", async (format) => {
    const large = await sharp(await sampleImage("png"))
      .resize(1600, 800)
      .toFormat(format)
      .toBuffer();
    const id = await upload(`large.${format}`, `image/${format}`, large);
    expect(await read(id)).toMatchObject({ format: "webp", width: 640, height: 320 });
  });

  test.runIf(hasHeif)(`of an iPhone's photo is made by libheif${HEIF}`, async () => {
    const id = await upload("photo.heic", "image/heic", await samplePhoto());
    expect(await read(id)).toMatchObject({ format: "webp", width: 640, height: 480 });
  });

  test.runIf(hasFfmpeg)(`of a video is its first frame${FFMPEG}`, async () => {
    const id = await upload("video.mp4", "video/mp4", sampleVideo());
    expect(await read(id)).toMatchObject({ format: "webp", width: 640, height: 360 });
  });

  test.runIf(hasFfmpeg)(`of an iPhone's voice memo is a sound browsers play${FFMPEG}`, async () => {
    const id = await upload("memo.caf", "audio/x-caf", sampleCaf());
    const file = await preview(id);
    expect(file).toMatchObject({ contentType: "audio/mp4", filename: "memo.caf.mp4" });
    const sound = await bytesOf({ open: () => file.read() });
    expect(audioDuration(sound, "audio/mp4")).toBeGreaterThan(1900);
  });

  test.each([
    ["a photo or a video where the tools are missing", "image/heic", "photo.heic", FILES.heic],
    ["a broken video", "video/mp4", "video.mp4", FILES.mp4],
    ["a broken image", "image/jpeg", "cut.jpg", Buffer.from("\xff\xd8\xff\xe0 not an image", "latin1")],
    ["a document", "application/pdf", "menu.pdf", FILES.pdf],
  ])("of %s there is none, which is no failure", async (_, type, name, content) => {
    const id = await upload(name, type, content);
    await withoutTools(() => expect(preview(id)).rejects.toMatchObject({ errorName: "name_unknown" }));
  });

  test("that could not be made is not tried again, and the request that waits for it can be aborted", async () => {
    const id = await upload("cut.jpg", "image/jpeg", Buffer.from("\xff\xd8\xff\xe0 not an image", "latin1"));
    const source = { accountId: account.ref.id, attachmentId: id };
    await expect(openPreview(account.context(), id, AbortSignal.abort())).rejects.toThrow(/abort/);
    expect(await objectStore().head(previewKey(source))).toBeNull();
    await expect(preview(id)).rejects.toMatchObject({ errorName: "name_unknown" });
    expect(await objectStore().head(previewKey(source))).toMatchObject({ sizeBytes: 1 });

    await objectStore().delete(objectKey(source));
    await expect(preview(id)).rejects.toMatchObject({ errorName: "name_unknown" });
  });

  test("goes with its file", async () => {
    const id = await upload("a.png", "image/png", await sampleImage("png"));
    await preview(id);
    const key = previewKey({ accountId: account.ref.id, attachmentId: id });
    expect(await objectStore().head(key)).not.toBeNull();
    await callApi(`DELETE /v3/attachments/${id}`, { token: account.token });
    expect(await objectStore().head(key)).toBeNull();
    await expect(preview(id)).rejects.toMatchObject({ errorName: "attachment_not_found" });
  });

  test("is not shown without a session, nor to another account", async () => {
    const id = await upload("a.png", "image/png", await sampleImage("png"));
    const answer = await previewRoute(new Request("http://trunkline.test/api"), {
      params: Promise.resolve({ attachmentId: id }),
    });
    expect(answer.status).toBe(401);
    const other = await createTestAccount({ type: "sandbox" });
    await expect(openPreview(other.context(), id)).rejects.toMatchObject({
      errorName: "attachment_not_found",
    });
  });
});
