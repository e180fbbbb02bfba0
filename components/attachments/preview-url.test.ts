import { expect, test } from "vitest";
import { previewUrl } from "@/components/attachments/preview-url";

const ID = "019a1f0e-7c3b-7d2a-9f10-2b8f1d1f7a10";
const PATH = `/attachments/partners/019a1f0e-0000-7d2a-9f10-2b8f1d1f7a10/${ID}/a%20file?expires=1&signature=2`;

test.each([
  ["image/png", PATH, PATH],
  ["image/heic", PATH, `/api/attachments/${ID}/preview`],
  ["audio/x-caf", PATH, `/api/attachments/${ID}/preview`],
  ["image/heic", "/pay/logo.heic", "/pay/logo.heic"],
])("%s at %s is shown from %s", (mimeType, path, shown) => {
  expect(previewUrl(path, mimeType)).toBe(shown);
});
