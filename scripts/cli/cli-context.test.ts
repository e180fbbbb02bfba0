import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { connectionOf, missingToken } from "@/scripts/cli/cli-context";
import { saveProfile } from "@/scripts/cli/settings";

const TOKEN = "tl_sandbox_secret_token";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("a saved token is only for the URL with which it was saved, and what is below it", () => {
  vi.stubEnv("TRUNKLINE_CONFIG_DIR", mkdtempSync(path.join(tmpdir(), "trunkline-config-")));
  for (const name of ["TRUNKLINE_URL", "TRUNKLINE_TOKEN", "BASE_URL"]) vi.stubEnv(name, "");
  saveProfile("default", { url: "https://a.example/api", token: TOKEN });
  const tokenFor = (url: string) => connectionOf({ url, profile: "default", json: false }).token;
  const urls = ["https://a.example/api", "https://a.example/api/partner"];
  expect(urls.map(tokenFor)).toEqual([TOKEN, TOKEN]);
  const others = [
    "https://a.example",
    "https://a.example/apis",
    "http://a.example/api",
    "https://b.example/api",
  ];
  expect(others.map(tokenFor)).toEqual([undefined, undefined, undefined, undefined]);
  vi.stubEnv("TRUNKLINE_URL", "https://c.example");
  vi.stubEnv("TRUNKLINE_TOKEN", "tl_of_c");
  expect(["https://c.example", "https://b.example", ...urls.slice(0, 1)].map(tokenFor)).toEqual([
    "tl_of_c",
    undefined,
    TOKEN,
  ]);
  vi.stubEnv("TRUNKLINE_URL", "");
  expect(tokenFor("https://b.example")).toBe("tl_of_c");
});

test("the names of this machine are one host, and an error names the URL that a known token belongs to", () => {
  vi.stubEnv("TRUNKLINE_CONFIG_DIR", mkdtempSync(path.join(tmpdir(), "trunkline-config-")));
  for (const name of ["TRUNKLINE_URL", "TRUNKLINE_TOKEN", "BASE_URL"]) vi.stubEnv(name, "");
  saveProfile("default", { url: "http://localhost:3000", token: TOKEN });
  const connectionFor = (url: string) => connectionOf({ url, profile: "default", json: false });
  const own = ["http://localhost:3000", "http://127.0.0.1:3000/", "http://[::1]:3000/api"];
  expect(own.map((url) => connectionFor(url).token)).toEqual([TOKEN, TOKEN, TOKEN]);
  const others = ["http://127.0.0.1:3001", "https://127.0.0.1:3000", "http://127.0.0.2:3000"];
  expect(others.map((url) => connectionFor(url).token)).toEqual([undefined, undefined, undefined]);
  expect(missingToken(connectionFor("http://127.0.0.1:3001"))).toBe(
    "No API token for http://127.0.0.1:3001. The known token is sent only to its own URL, http://localhost:3000. Pass --token.",
  );
});
