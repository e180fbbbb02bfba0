import { expect, test } from "vitest";
import { ownChunk, releaseChunk } from "@/lib/platform/http/release-chunk";

test("an owned chunk is freed when it is released, and not before", () => {
  const chunk = new Uint8Array(1000);
  ownChunk(chunk);
  expect(chunk.byteLength).toBe(1000);
  releaseChunk(chunk);
  expect(chunk.byteLength).toBe(0);
});

test("a chunk that is not owned, or shares its memory, stays as it is", () => {
  const [foreign, shared] = [new Uint8Array(1000), new Uint8Array(1000)];
  const part = shared.subarray(0, 999);
  ownChunk(part);
  for (const chunk of [foreign, part]) releaseChunk(chunk);
  expect([foreign, part, shared].map(({ byteLength }) => byteLength)).toEqual([1000, 999, 1000]);
});
