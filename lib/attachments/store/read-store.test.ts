import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { readStore } from "@/lib/attachments/store/read-store";
import { fail } from "@/lib/platform/errors/errors";

const ACCOUNT = "01a00000-0000-7000-8000-000000000000";

test("storage that does not answer is download_failed; a refusal of what was read stays what it is", async () => {
  const broken = readStore(ACCOUNT, () => Promise.reject(new Error("EIO: i/o error, read")));
  await expect(broken).rejects.toMatchObject({ errorName: "download_failed", row: { code: 5002 } });
  const refused = readStore(ACCOUNT, async () => fail("attachment_not_ready"));
  await expect(refused).rejects.toMatchObject({ errorName: "attachment_not_ready" });
  expect(await readStore(ACCOUNT, async () => 7)).toBe(7);
});
