import { expect, test } from "vitest";
import {
  type ByteStream,
  ObjectExists,
  type ObjectStore,
  SignatureRefused,
  type SignedPut,
  SizeMismatch,
  type StoredObject,
} from "@/lib/adapters/storage/object-store";
import { ownChunk } from "@/lib/platform/http/release-chunk";

const TYPE = "image/png";

/** A store as the suite uses it. */
export interface StoreBench {
  store: ObjectStore;
  /** Sends a signed upload as a client would. Rejects with SignatureRefused or SizeMismatch when the store rejects it. */
  upload(signed: SignedPut, body: Uint8Array, headers?: Record<string, string>): Promise<void>;
  /** Advances time by this many seconds. */
  wait(seconds: number): Promise<void>;
}

/** The behavior of a store that attachments rely on. Every store must pass. */
export function describeObjectStore(bench: () => StoreBench): void {
  const newKey = () => `account-${crypto.randomUUID()}/${crypto.randomUUID()}`;
  const put = (key: string, body: ByteStream, sizeBytes: number) =>
    bench().store.put(key, body, { contentType: TYPE, leastBytes: sizeBytes, mostBytes: sizeBytes });
  const read = async (key: string, range?: { start: number; end: number }) => {
    const found = await bench().store.get(key, range);
    return found === null ? null : (await collect(found.body)).toString();
  };

  test("a stored file is read whole and in ranges, with its size", async () => {
    const key = newKey();
    expect(await put(key, stream("hello ", "object"), 12)).toBe(12);
    expect(await read(key)).toBe("hello object");
    expect(await read(key, { start: 6, end: 11 })).toBe("object");
    expect(await read(key, { start: 0, end: 0 })).toBe("h");
    expect((await bench().store.get(key))?.sizeBytes).toBe(12);
    expect(await bench().store.head(key)).toEqual({ sizeBytes: 12 });
  });

  test("chunks are released once they are stored; those that the caller keeps do not change", async () => {
    const key = newKey();
    const chunks = Array.from({ length: 40 }, (_, index) => new Uint8Array(50_000).fill(index));
    const whole = Buffer.concat(chunks);
    const kept = chunks.slice(20);
    async function* body() {
      for (const chunk of chunks) {
        if (!kept.includes(chunk)) ownChunk(chunk);
        yield chunk;
      }
    }
    await put(key, body(), whole.length);
    const found = await bench().store.get(key);
    expect((await collect(found?.body ?? stream())).equals(whole)).toBe(true);
    expect(chunks.slice(0, 20).every(({ byteLength }) => byteLength === 0)).toBe(true);
    expect(Buffer.concat(kept).equals(whole.subarray(20 * 50_000))).toBe(true);
  });

  test("everything is listed, with its size and when it was stored", async () => {
    const keys = [newKey(), newKey(), newKey()];
    for (const key of keys) await put(key, stream("listed"), 6);
    const listed = new Map<string, StoredObject>();
    for await (const page of bench().store.list()) for (const one of page) listed.set(one.key, one);
    expect([...listed.keys()]).toEqual(expect.arrayContaining(keys));
    for (const key of keys) {
      expect(listed.get(key)?.sizeBytes).toBe(6);
      expect(Math.abs(Number(listed.get(key)?.storedAt) - Date.now())).toBeLessThan(120_000);
    }
  });

  test("a missing file is null", async () => {
    const key = newKey();
    expect(await bench().store.get(key)).toBeNull();
    expect(await bench().store.head(key)).toBeNull();
  });

  test("deleting ends it, and again is fine", async () => {
    const key = newKey();
    await put(key, stream("gone"), 4);
    await bench().store.delete(key);
    await bench().store.delete(key);
    expect(await bench().store.head(key)).toBeNull();
    await put(key, stream("back"), 4);
    expect(await read(key)).toBe("back");
  });

  test("an object never changes: a second put under its key is refused", async () => {
    const key = newKey();
    await put(key, stream("first"), 5);
    await expect(put(key, stream("other"), 5)).rejects.toThrow(ObjectExists);
    expect(await read(key)).toBe("first");
  });

  test("one of two concurrent puts wins, whole", async () => {
    const key = newKey();
    const results = await Promise.allSettled([put(key, stream("aaa"), 3), put(key, stream("bbb"), 3)]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(["aaa", "bbb"]).toContain(await read(key));
  });

  test("too many bytes are refused as they come, and nothing is left", async () => {
    const key = newKey();
    let taken = 0;
    let isReleased = false;
    async function* endless() {
      try {
        for (;;) {
          taken++;
          yield new Uint8Array(1000);
        }
      } finally {
        isReleased = true;
      }
    }
    await expect(put(key, endless(), 10_000)).rejects.toThrow(SizeMismatch);
    expect(taken).toBeLessThan(100);
    expect(isReleased).toBe(true);
    expect(await bench().store.head(key)).toBeNull();
  });

  test("too few bytes are refused, and nothing is left", async () => {
    const key = newKey();
    await expect(put(key, stream("abc"), 4)).rejects.toThrow(SizeMismatch);
    expect(await bench().store.head(key)).toBeNull();
  });

  test("a stream that breaks leaves nothing, and its error is reported", async () => {
    const key = newKey();
    async function* broken() {
      yield Buffer.from("abc");
      throw new Error("the peer is gone");
    }
    await expect(put(key, broken(), 6)).rejects.toThrow("the peer is gone");
    expect(await bench().store.head(key)).toBeNull();
  });

  test("a reader may stop half way", async () => {
    const key = newKey();
    await put(key, stream(...Array<string>(300).fill("x".repeat(1000))), 300_000);
    const found = await bench().store.get(key);
    if (found === null) throw new Error("not stored");
    for await (const chunk of found.body) {
      expect(chunk.byteLength).toBeGreaterThan(0);
      break;
    }
  });

  test("a key cannot leave the store", async () => {
    for (const key of ["../outside", "a/../../b", "/etc/passwd", "a//b", "", "a\\b", "a/."]) {
      await expect(bench().store.put(key, stream("x"), ONE_BYTE)).rejects.toThrow();
    }
  });

  test("a signed upload stores exactly what was signed", async () => {
    const key = newKey();
    const signed = await sign(key, 5);
    expect(signed).toMatchObject({
      method: "PUT",
      headers: { "Content-Type": TYPE, "Content-Length": "5" },
    });
    await bench().upload(signed, Buffer.from("bytes"));
    expect(await read(key)).toBe("bytes");
  });

  test.each([
    ["another type", { "Content-Type": "text/html" }],
    ["another length", { "Content-Length": "6" }],
  ])("a signed upload with %s is refused", async (_, headers) => {
    const key = newKey();
    const upload = bench().upload(await sign(key, 5), Buffer.from("bytes"), headers);
    await expect(upload).rejects.toThrow(SignatureRefused);
    expect(await bench().store.head(key)).toBeNull();
  });

  test("a signed upload to another key, or with a changed address, is refused", async () => {
    const [key, other] = [newKey(), newKey()];
    const signed = await sign(key, 5);
    const forged = signed.url.replace(
      /(signature=.)(.)/i,
      (_, start, next) => start + (next === "0" ? "1" : "0"),
    );
    for (const url of [signed.url.replace(key, other), forged]) {
      await expect(bench().upload({ ...signed, url }, Buffer.from("bytes"))).rejects.toThrow(
        SignatureRefused,
      );
    }
    expect(await bench().store.head(other)).toBeNull();
  });

  test("a signed upload that comes too late is refused", async () => {
    const key = newKey();
    const signed = await sign(key, 5);
    await bench().wait(61);
    await expect(bench().upload(signed, Buffer.from("bytes"))).rejects.toThrow(SignatureRefused);
  });

  function sign(key: string, sizeBytes: number): Promise<SignedPut> {
    return bench().store.signPut(key, { contentType: TYPE, sizeBytes, ttlSeconds: 60 });
  }
}

const ONE_BYTE = { contentType: TYPE, leastBytes: 1, mostBytes: 1 };

async function* stream(...chunks: string[]): ByteStream {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function collect(body: ByteStream): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
