import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { ApiError } from "@/lib/platform/errors/errors";
import { readChunks } from "@/lib/platform/http/read-chunks";
import { releaseChunk } from "@/lib/platform/http/release-chunk";

const SOON_MS = 10;
const CHUNK = Buffer.alloc(64 * 1024);

/** A web stream that stalls after one chunk. */
function stalled(onCancel: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
    cancel: onCancel,
  });
}

/** A Node stream that a test pushes to, as an HTTP request. */
function pushed(): Readable {
  return new Readable({ read: () => undefined });
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return Buffer.concat(read);
}

function nameOf(reading: Promise<unknown>): Promise<string> {
  return reading.then(
    () => "read",
    (error) => (error instanceof ApiError ? error.errorName : "unexpected"),
  );
}

test("an upload that stops arriving is refused as too slow, and let go", async () => {
  let isCanceled = false;
  const body = stalled(() => {
    isCanceled = true;
  });
  expect(await nameOf(all(readChunks(body, SOON_MS)))).toBe("body_too_slow");
  expect(isCanceled).toBe(true);
  expect(await readChunks(null).next()).toEqual({ done: true, value: undefined });
});

test("a Node stream that stops arriving is too slow, and its connection stays open for the response", async () => {
  const body = pushed();
  body.push(CHUNK);
  expect(await nameOf(all(readChunks(body, SOON_MS)))).toBe("body_too_slow");
  expect(body.destroyed).toBe(false);
});

test("time that the consumer takes is not the client's", async () => {
  const body = pushed();
  const chunks = readChunks(body, SOON_MS);
  body.push(CHUNK);
  expect((await chunks.next()).value?.length).toBe(CHUNK.length);
  await new Promise((resolve) => setTimeout(resolve, 3 * SOON_MS));
  body.push(CHUNK);
  body.push(null);
  expect(await all(chunks)).toHaveLength(CHUNK.length);
});

test("every byte comes in order, whether its chunks arrive before, while or after the consumer works", async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
  const body = pushed();
  const read = all(readChunks(body));
  for (let at = 0; at < bytes.length; at += 7000) {
    body.push(bytes.subarray(at, at + 7000));
    if (at % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  body.push(null);
  expect((await read).equals(bytes)).toBe(true);
});

test("a consumer that is busy holds the stream up", async () => {
  let produced = 0;
  const body = new Readable({
    read() {
      produced += 1;
      this.push(CHUNK);
    },
  });
  const chunks = readChunks(body);
  await chunks.next();
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(produced * CHUNK.length).toBeLessThan(1024 * 1024);
  await chunks.return(undefined);
  body.destroy();
});

test("the chunks of a Node stream may be released, those of a web stream may not", async () => {
  const [received, foreign] = [Buffer.alloc(10_000), new Uint8Array(10_000)];
  for await (const chunk of readChunks(Readable.from([received], { objectMode: false }))) releaseChunk(chunk);
  const web = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(foreign);
      controller.close();
    },
  });
  for await (const chunk of readChunks(web)) releaseChunk(chunk);
  expect([received.byteLength, foreign.byteLength]).toEqual([0, 10_000]);
});

test("a connection that is lost ends in its error, before the first chunk or after", async () => {
  for (const first of [[], [CHUNK]]) {
    const body = pushed();
    for (const chunk of first) body.push(chunk);
    const read = all(readChunks(body));
    setImmediate(() => body.destroy(new Error("aborted")));
    await expect(read).rejects.toThrow("aborted");
  }
  const gone = pushed();
  gone.destroy();
  await expect(all(readChunks(gone))).rejects.toThrow();
});

test("a consumer that stops leaves the rest to be discarded", async () => {
  const body = pushed();
  const chunks = readChunks(body);
  body.push(CHUNK);
  await chunks.next();
  await chunks.return(undefined);
  for (let count = 0; count < 10; count++) body.push(CHUNK);
  body.push(null);
  await new Promise((resolve) => body.once("close", resolve));
  expect(body.readableEnded).toBe(true);
});
