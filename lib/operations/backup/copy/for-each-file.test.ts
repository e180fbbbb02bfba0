import { expect, test } from "vitest";
import type { StoredObject } from "@/lib/adapters/storage/object-store";
import { forEachFile } from "@/lib/operations/backup/copy/for-each-file";

/** Pages with one file each, named by number. */
async function* pagesOf(count: number, read: string[] = []): AsyncGenerator<StoredObject[]> {
  for (let number = 0; number < count; number++) {
    read.push(String(number));
    yield [{ key: String(number), sizeBytes: 1, storedAt: new Date(0) }];
  }
}

test("files of different pages are worked on at once, each once, and never more than the limit", async () => {
  const done: string[] = [];
  let running = 0;
  let most = 0;
  const full = Promise.withResolvers<void>();
  await forEachFile(pagesOf(10), 3, async ({ key }) => {
    most = Math.max(most, ++running);
    if (running === 3) full.resolve();
    await full.promise;
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    done.push(key);
  });
  expect(most).toBe(3);
  expect(done.sort()).toEqual(Array.from({ length: 10 }, (_, number) => String(number)));
});

test("after a failure the remaining files are left out, and running work has ended when the failure is reported", async () => {
  const [read, ended]: [string[], string[]] = [[], []];
  const failed = Promise.withResolvers<void>();
  const work = async ({ key }: StoredObject) => {
    if (key === "1") {
      failed.resolve();
      throw new Error("refused");
    }
    await failed.promise;
    await new Promise((resolve) => setImmediate(resolve));
    ended.push(key);
  };
  await expect(forEachFile(pagesOf(1000, read), 2, work)).rejects.toThrow("refused");
  expect(ended).toEqual(["0"]);
  expect(read.length).toBeLessThan(5);
});

test("a list that breaks is reported", async () => {
  async function* broken() {
    yield* pagesOf(1);
    throw new Error("the list broke");
  }
  await expect(forEachFile(broken(), 4, async () => undefined)).rejects.toThrow("the list broke");
});
