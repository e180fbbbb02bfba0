import { expect, test } from "vitest";
import { readAttachmentFilter } from "@/components/attachments/attachment-filter";

test("an address holds the filter; what is empty, repeated or unknown is left out", () => {
  const query = { q: " menu ", family: ["image", "audio"], status: "", cursor: "x", line: "+15550100001" };
  expect(readAttachmentFilter(query)).toEqual({ q: "menu", family: "image", line: "+15550100001" });
});
