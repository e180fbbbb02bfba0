import { expect, test } from "vitest";
import { ApiError } from "@/lib/platform/errors";
import { readBody, readForm } from "@/lib/platform/read-body";

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
  expect(await nameOf(readForm(post("a=".padEnd(4097, "b"))))).toBe("body_invalid");
});

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
