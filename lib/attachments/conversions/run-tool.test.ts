import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePreview } from "@/lib/attachments/conversions/make-preview";
import { runTool } from "@/lib/attachments/conversions/run-tool";
import { hasTool } from "@/lib/testing/find-tool";
import { sampleImage } from "@/lib/testing/samples/file-samples";

const hasFfmpeg = hasTool("ffmpeg");
const ENCODER = "heif-enc";
const hasHeif = hasTool("heif-convert") && hasTool(ENCODER);
const FFMPEG = hasFfmpeg ? "" : " (skipped: ffmpeg is not installed)";
const HEIF = hasHeif ? "" : " (skipped: libheif-examples is not installed)";
const QUIET = ["-nostdin", "-loglevel", "error"];
// The width and height of an image that is too large for a preview.
const BOMB_SIDE = 20_000;

const OWNER = { accountId: "a" };

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "trunkline-tools-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* once(bytes: Buffer) {
  yield bytes;
}

const previewOf = (type: string, bytes: Buffer) => makePreview(type, async () => once(bytes), OWNER);

/** A PNG of a few bytes whose header says that it is huge. */
async function bombPng(): Promise<Buffer> {
  const png = await sampleImage("png");
  const header = png.indexOf("IHDR");
  png.writeUInt32BE(BOMB_SIDE, header + 4);
  png.writeUInt32BE(BOMB_SIDE, header + 8);
  png.writeUInt32BE(crc32(png.subarray(header, header + 17)), header + 17);
  return png;
}

describe("a program that is run on a customer's file", () => {
  // Copies the state of the process that ffmpeg sees, byte for byte.
  const readOwn = async (name: string) => {
    const target = path.join(folder, name);
    const copy = ["-f", "data", "-i", `/proc/self/${name}`, "-map", "0", "-c", "copy", "-f", "data", target];
    await runTool("ffmpeg", [...QUIET, ...copy], OWNER);
    return readFileSync(target, "utf8");
  };

  test.runIf(hasFfmpeg && process.platform === "linux")(
    `sees nothing of the environment${FFMPEG}`,
    async () => {
      process.env.TOOL_TEST_SECRET = "kept to ourselves";
      const seen = await readOwn("environ").catch(() => "");
      expect(seen).not.toContain("TOOL_TEST_SECRET");
      expect(seen).not.toContain("PATH=/");
      expect(seen).not.toContain("DATABASE_URL");
    },
  );

  test.runIf(hasFfmpeg && process.platform === "linux")(
    `has limits of time, memory and output${FFMPEG}`,
    async () => {
      const limits = await readOwn("limits");
      expect(limits).toMatch(/Max cpu time +30 /);
      expect(limits).toMatch(/Max address space +2147483648 /);
      expect(limits).toMatch(/Max file size +104857600 /);
      expect(limits).toMatch(/Max core file size +0 /);
    },
  );

  test.runIf(hasFfmpeg)(`that writes without end is stopped at its output limit${FFMPEG}`, async () => {
    const target = path.join(folder, "endless.wav");
    const endless = ["-f", "lavfi", "-i", "anoisesrc", "-f", "wav", target];
    await expect(
      runTool("ffmpeg", [...QUIET, ...endless], { ...OWNER, limits: { outputBytes: 1024 * 1024 } }),
    ).rejects.toThrow(/^ffmpeg ended with/);
    expect(statSync(target).size).toBeLessThanOrEqual(1024 * 1024);
  });

  test.runIf(hasFfmpeg)(`that runs without end is killed at its time limit${FFMPEG}`, async () => {
    const endless = ["-re", "-f", "lavfi", "-i", "anoisesrc", "-f", "null", "-"];
    await expect(
      runTool("ffmpeg", [...QUIET, ...endless], { ...OWNER, limits: { seconds: 1 } }),
    ).rejects.toThrow(/SIGKILL/);
  });

  test.runIf(hasFfmpeg)(
    `of one account does not hold up another account's, and ends when it is aborted${FFMPEG}`,
    async () => {
      const endless = [...QUIET, "-re", "-f", "lavfi", "-i", "anoisesrc", "-f", "null", "-"];
      const aborting = new AbortController();
      const run = { ...OWNER, signal: aborting.signal };
      const hostile = [runTool("ffmpeg", endless, run), runTool("ffmpeg", endless, run)].map((each) =>
        each.catch((error: Error) => error.name),
      );
      expect(await runTool("ffmpeg", ["-version"], { accountId: "b" })).toBe(true);
      aborting.abort();
      expect(await Promise.all(hostile)).toEqual(["AbortError", "AbortError"]);
    },
  );

  test.runIf(hasFfmpeg && process.platform === "linux")(
    `that needs more memory than its limit does not get it${FFMPEG}`,
    async () => {
      expect(await runTool("ffmpeg", ["-version"], OWNER)).toBe(true);
      await expect(
        runTool("ffmpeg", ["-version"], { ...OWNER, limits: { memoryBytes: 16 * 1024 * 1024 } }),
      ).rejects.toThrow(/^ffmpeg ended with/);
    },
  );
});

describe("no preview is made of a small file that declares a huge image", () => {
  test("of a PNG", async () => {
    await expect(previewOf("image/png", await bombPng())).rejects.toThrow(/pixel limit/);
  });

  test.runIf(hasFfmpeg)(`of a video${FFMPEG}`, async () => {
    const [small, video] = [path.join(folder, "small.png"), path.join(folder, "video.mov")];
    writeFileSync(small, await sampleImage("png"));
    await runTool("ffmpeg", [...QUIET, "-i", small, "-c", "copy", "-f", "mov", video], OWNER);
    const [honest, bomb] = [await sampleImage("png"), await bombPng()];
    const bytes = readFileSync(video);
    const start = bytes.indexOf("IHDR");
    bomb.copy(bytes, start, honest.indexOf("IHDR"), honest.indexOf("IHDR") + 21);

    await expect(previewOf("video/quicktime", bytes)).rejects.toThrow(/20000x20000/);
  });

  test.runIf(hasHeif)(`of an iPhone's photo${HEIF}`, async () => {
    const [source, target] = [path.join(folder, "photo.png"), path.join(folder, "photo.heic")];
    writeFileSync(
      source,
      await sharp(await sampleImage("png"))
        .resize(128, 96)
        .png()
        .toBuffer(),
    );
    execFileSync(ENCODER, [source, "-o", target], { stdio: "ignore" });
    const bytes = readFileSync(target);
    for (let at = bytes.indexOf("ispe"); at !== -1; at = bytes.indexOf("ispe", at + 4)) {
      bytes.writeUInt32BE(BOMB_SIDE, at + 8);
      bytes.writeUInt32BE(BOMB_SIDE, at + 12);
    }
    await expect(previewOf("image/heic", bytes)).rejects.toThrow("20000 x 20000 pixels");
  });
});
