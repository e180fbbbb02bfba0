import { afterAll, expect, test } from "vitest";
import { fileOrigins } from "@/lib/attachments/files/file-origins";
import { reloadEnv } from "@/lib/platform/env";

const BUCKET = {
  CDN_URL: "https://files.example",
  S3_BUCKET: "files",
  S3_ENDPOINT: "http://127.0.0.1:1",
  S3_PATH_STYLE: "1",
  S3_ACCESS_KEY_ID: "id",
  S3_SECRET_ACCESS_KEY: "secret",
};

function setEnv(settings: Record<string, string>): void {
  for (const name of Object.keys(BUCKET)) delete process.env[name];
  Object.assign(process.env, settings);
  reloadEnv();
}

afterAll(() => setEnv({}));

test("pages may upload to a bucket that does not answer at the start, as it may answer later", () => {
  setEnv(BUCKET);
  expect(fileOrigins()).toEqual({ shown: "https://files.example", uploaded: "http://127.0.0.1:1" });
  setEnv({ ...BUCKET, S3_ENDPOINT: "https://s3.example", S3_PATH_STYLE: "0" });
  expect(fileOrigins().uploaded).toBe("https://files.s3.example");
});

test("pages upload to the host of the files without a bucket", () => {
  setEnv({ CDN_URL: "https://files.example" });
  expect(fileOrigins()).toEqual({ shown: "https://files.example", uploaded: "https://files.example" });
});
