import { expect, test } from "vitest";
import { ApiError } from "@/lib/platform/errors/errors";
import { readBody, readForm } from "@/lib/platform/http/read-body";

const SOON_MS = 10;

function post(body: string | ReadableStream<Uint8Array>, headers: Record<string, string> = {}): Request {
  const init = { method: "POST", body, headers, duplex: "half" };
  return new Request("http://trunkline.test/", init as RequestInit);
}

/** A stream that stalls after one chunk. */
function stalled(onCancel: () => void = () => undefined): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
    cancel: onCancel,
  });
}

const streamOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]).stream();
const framings = (bytes: Buffer): Record<string, string>[] => [{}, { "content-length": `${bytes.length}` }];

function nameOf(reading: Promise<unknown>): Promise<string> {
  return reading.then(
    () => "read",
    (error) => (error instanceof ApiError ? error.errorName : "unexpected"),
  );
}

test("a body is read up to its limit in bytes, announced or not", async () => {
  const text = "é".repeat(5);
  const announced = { "content-length": "10" };
  expect(await readBody(post(text), { limitBytes: 10 })).toBe(text);
  expect(await readBody(post(text, announced), { limitBytes: 10 })).toBe(text);
  expect(await nameOf(readBody(post(text), { limitBytes: 9 }))).toBe("body_invalid");
  expect(await nameOf(readBody(post(text, announced), { limitBytes: 9 }))).toBe("body_invalid");
  expect(await nameOf(readForm(post("a=".padEnd(4097, "b")), { limitBytes: 4096 }))).toBe("body_invalid");
});

test.each([
  ["Latin-1", Buffer.from('{"a":"caf\xe9"}', "latin1")],
  ["a cut character", Buffer.from("€").subarray(0, 2)],
  ["an encoded surrogate", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
])("a body in %s is refused, announced or not", async (_, bytes) => {
  for (const headers of framings(bytes))
    expect(await nameOf(readBody(post(streamOf(bytes), headers), { limitBytes: 99 }))).toBe("body_invalid");
});

test("a byte order mark is not part of the text, announced or not", async () => {
  const bytes = Buffer.from("\ufeff{}");
  for (const headers of framings(bytes))
    expect(await readBody(post(streamOf(bytes), headers), { limitBytes: 99 })).toBe("{}");
});

test.each([["gzip"], ["br"], ["deflate, gzip"], ["zstd"]])(
  "a body in %s is refused as encoded",
  async (encoding) => {
    const request = post("{}", { "content-encoding": encoding });
    expect(await nameOf(readBody(request, { limitBytes: 10 }))).toBe("body_encoded");
    expect(await readBody(post("{}", { "content-encoding": "Identity" }), { limitBytes: 10 })).toBe("{}");
  },
);

test("an endless body is read no further than its limit", async () => {
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(1000));
    },
  });
  expect(await nameOf(readBody(post(endless), { limitBytes: 10_000 }))).toBe("body_invalid");
  expect(pulled).toBeLessThan(20);
});

test("a body that stops arriving is refused as too slow", async () => {
  expect(await nameOf(readBody(post(stalled()), { limitBytes: 10, withinMs: SOON_MS }))).toBe(
    "body_too_slow",
  );
});
