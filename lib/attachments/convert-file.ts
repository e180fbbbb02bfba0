import "server-only";
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { ByteStream } from "@/lib/adapters/storage/object-store";
import { UPLOAD_MOST_BYTES } from "@/lib/attachments/attachment";
import { log } from "@/lib/platform/log";

const PIXELS_MOST = 100_000_000;
const FFMPEG_SECONDS = 60;

interface Conversion {
  contentType: string;
  extension: string;
  /** null: this machine cannot. Rejects when the file is broken. */
  run(body: ByteStream): Promise<Buffer | null>;
}

/** The conversions that change bytes, by what they change (partner-api.md, SupportedContentType). */
export const CONVERSIONS: ReadonlyMap<string, Conversion> = new Map([
  ["image/tiff", { contentType: "image/jpeg", extension: "jpg", run: (body) => inFolder(body, toJpeg) }],
  ["audio/x-caf", { contentType: "audio/mp4", extension: "mp4", run: (body) => inFolder(body, toMp4) }],
]);

// Both tools seek in the file, so it lies on disk meanwhile, in a folder nobody else reads.
async function inFolder(
  body: ByteStream,
  convert: (source: string, folder: string) => Promise<Buffer | null>,
): Promise<Buffer | null> {
  const folder = await mkdtemp(path.join(tmpdir(), "trunkline-convert-"));
  try {
    const source = path.join(folder, "source");
    await pipeline(body, createWriteStream(source));
    return await convert(source, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function toJpeg(source: string): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  return sharp(source, { limitInputPixels: PIXELS_MOST, failOn: "error" })
    .rotate()
    .jpeg({ quality: 90 })
    .toBuffer();
}

async function toMp4(source: string, folder: string): Promise<Buffer | null> {
  const target = path.join(folder, "target.mp4");
  const made = await runFfmpeg([
    "-f",
    "caf",
    "-i",
    source,
    "-vn",
    "-c:a",
    "aac",
    "-b:a",
    "96k",
    "-f",
    "mp4",
    target,
  ]);
  if (!made) return null;
  if ((await stat(target)).size > UPLOAD_MOST_BYTES) throw new Error("the converted file is too large");
  return readFile(target);
}

let isMissingLogged = false;

/** False when ffmpeg is not installed, which is said once. Rejects when it fails. */
function runFfmpeg(args: readonly string[]): Promise<boolean> {
  const guards = ["-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file,pipe"];
  return new Promise((resolve, reject) => {
    const child = spawn("ffmpeg", [...guards, ...args], {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: FFMPEG_SECONDS * 1000,
      killSignal: "SIGKILL",
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      if (said.length < 1000) said += chunk.toString("utf8");
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") return reject(error);
      logMissing();
      resolve(false);
    });
    child.on("close", (code) =>
      code === 0 ? resolve(true) : reject(new Error(`ffmpeg ended with ${code}: ${said}`)),
    );
  });
}

function logMissing(): void {
  if (isMissingLogged) return;
  isMissingLogged = true;
  log.warn("ffmpeg is not installed: CAF audio is delivered as it is, not as MP4");
}
