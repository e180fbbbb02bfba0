import { expect, test } from "vitest";
import { HttpClient } from "@/scripts/cli/conform/http-client";
import { SendGuard } from "@/scripts/cli/conform/send-guard";

test("an upload goes to https, or to the host of the server by any name of this machine", () => {
  const isUploadUrl = (baseUrl: string, url: string) =>
    new HttpClient({
      ...{ baseUrl, token: "tl_sandbox_secret_token", timeoutSeconds: 1, guard: new SendGuard() },
      onResponse: () => undefined,
    }).isUploadUrl(url);
  const local = ["http://localhost:3000/a", "http://127.0.0.1:9000/a", "http://[::1]:3000/a"];
  expect(local.map((url) => isUploadUrl("http://127.0.0.1:3000", url))).toEqual([true, true, true]);
  expect(isUploadUrl("http://a.example/api", "http://a.example:9000/a")).toBe(true);
  expect(isUploadUrl("http://a.example/api", "https://files.example/a")).toBe(true);
  const others = ["http://b.example/a", "http://localhost/a", "ftp://a.example/a", "a"];
  expect(others.map((url) => isUploadUrl("http://a.example/api", url))).toEqual([false, false, false, false]);
});
