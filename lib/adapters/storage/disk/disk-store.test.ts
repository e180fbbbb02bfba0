import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { describeObjectStore } from "@/lib/adapters/storage/conformance";
import { createDiskStore } from "@/lib/adapters/storage/disk/disk-store";
import type { SignedPut } from "@/lib/adapters/storage/object-store";

const root = mkdtempSync(path.join(tmpdir(), "trunkline-objects-"));
const store = createDiskStore(root);

afterEach(() => void vi.useRealTimers());
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("the disk", () => {
  describeObjectStore(() => ({ store, upload, wait }));
});

test("a rejected or interrupted upload leaves no file behind", () => {
  expect(readdirSync(path.join(root, "arriving"))).toEqual([]);
});

async function upload(signed: SignedPut, body: Uint8Array, headers: Record<string, string> = {}) {
  const url = new URL(signed.url);
  const key = url.pathname.replace("/uploads/", "");
  const incoming = { key, query: url.searchParams, headers: new Headers({ ...signed.headers, ...headers }) };
  const allowed = store.verifyPut?.(incoming);
  if (allowed === undefined) throw new Error("the disk takes its uploads itself");
  await store.put(key, once(body), {
    contentType: allowed.contentType,
    leastBytes: allowed.sizeBytes,
    mostBytes: allowed.sizeBytes,
  });
}

async function wait(seconds: number): Promise<void> {
  // Signatures use the wall clock.
  vi.setSystemTime(Date.now() + seconds * 1000);
}

async function* once(body: Uint8Array) {
  yield body;
}
