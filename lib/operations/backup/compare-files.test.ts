import { expect, test } from "vitest";
import type { ObjectStore } from "@/lib/adapters/storage/object-store";
import { objectKey } from "@/lib/attachments/attachment";
import { ATTACHMENT_PAGE, type AttachmentFile, compareFiles } from "@/lib/operations/backup/compare-files";

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const FILES: AttachmentFile[] = Array.from({ length: 2 * ATTACHMENT_PAGE + 1 }, (_, number) => ({
  account_id: idOf(0),
  id: idOf(number + 1),
  size_bytes: "3",
}));
const keyOf = (number: number) => objectKey({ accountId: idOf(0), attachmentId: FILES.at(number)?.id ?? "" });

/** A copy whose files have these sizes, and 3 bytes otherwise. null = no file. */
function copyWith(sizes: Record<string, number | null>): ObjectStore {
  const head = async (key: string) => {
    const sizeBytes = key in sizes ? sizes[key] : 3;
    return sizeBytes === null || sizeBytes === undefined ? null : { sizeBytes };
  };
  return { head } as unknown as ObjectStore;
}

const readFrom = (pages: number[]) => async (after: { account_id: string; id: string }) => {
  const page = FILES.filter(({ id }) => id > after.id).slice(0, ATTACHMENT_PAGE);
  pages.push(page.length);
  return page;
};

test("attachments are read in pages, and none is left out between two pages", async () => {
  const pages: number[] = [];
  const [last, first, final] = [keyOf(ATTACHMENT_PAGE - 1), keyOf(ATTACHMENT_PAGE), keyOf(-1)];
  const copy = copyWith({ [last]: null, [first]: 2, [final]: null });
  expect(await compareFiles(copy, readFrom(pages))).toEqual({
    missingCount: 3,
    missingFiles: [last, `${first} (2 of 3 bytes)`, final],
  });
  expect(pages).toEqual([ATTACHMENT_PAGE, ATTACHMENT_PAGE, 1]);
});

test("all missing files are counted, the first 20 are named, and those that are being changed are left out", async () => {
  const copy = { head: async () => null } as unknown as ObjectStore;
  const changing = FILES[0]?.id;
  const missing = await compareFiles(copy, readFrom([]), async ({ id }) => id !== changing);
  expect(missing.missingCount).toBe(FILES.length - 1);
  expect(missing.missingFiles).toEqual(Array.from({ length: 20 }, (_, number) => keyOf(number + 1)));
});
