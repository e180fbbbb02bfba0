import "@/lib/testing/capture-log";

import { expect, test } from "vitest";
import { storeReceivedFiles } from "@/lib/messaging/inbound/receive-files";
import { ApiError } from "@/lib/platform/errors/errors";
import { captureLog } from "@/lib/testing/capture-log";

const logged = captureLog();

const LINE = { accountId: "a", id: "line-1", phoneNumber: "+15550000001", lineType: "iMessage" } as const;

test.each([
  ["Ada Lovelace, biopsy.heic", ".heic"],
  ["biopsy.of Ada Lovelace", null],
])("the log says that a file is late, and not its name: %s", async (filename, ending) => {
  logged.length = 0;
  const open = () => Promise.reject(new ApiError("file_too_large", `${filename} is too large`));
  const parts = [{ type: "media", filename, mimeType: null, open } as const];

  expect(await storeReceivedFiles(LINE, parts)).toMatchObject([
    { file: null, late: { filename: ending === null ? `${filename}.bin` : filename, source: null } },
  ]);

  expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ lineId: "line-1", code: 5005, ending }]);
  expect(logged.join()).not.toMatch(/Ada|biopsy/);
});
