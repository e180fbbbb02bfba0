import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withPagePolicy } from "@/lib/runtime/server/pages/page-policy";

const THEME = "document.documentElement.className = 'dark'";
const DATA = 'self.__next_f.push([1,"docs"])';

const CDN = "https://files.example";
const BUCKET = "https://bucket.s3.example";

let buildDir: string;
let server: Server;
let origin: string;

beforeAll(async () => {
  buildDir = mkdtempSync(path.join(tmpdir(), "trunkline-pages-"));
  const app = path.join(buildDir, "server", "app");
  mkdirSync(app, { recursive: true });
  const routes = { "/docs": {}, "/_not-found": {}, "/icon.svg": {} };
  writeFileSync(path.join(buildDir, "prerender-manifest.json"), JSON.stringify({ routes }));
  const page = (scripts: string) => `<html><script src="/a.js" async></script>${scripts}</html>`;
  writeFileSync(path.join(app, "_not-found.html"), page(`<script>${THEME}</script>`));
  writeFileSync(
    path.join(app, "docs.html"),
    page(`<script>${THEME}</script><script id="x">${DATA}</script>`),
  );

  // Replaces Next: responds with the policy that it received.
  const pages = withPagePolicy(
    (request, response) => response.end(request.headers["content-security-policy"] ?? "none"),
    { development: false, files: { shown: CDN, uploaded: BUCKET }, buildDir },
  );
  server = createServer(pages).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(buildDir, { recursive: true, force: true });
});

async function policyOf(where: string, headers: Record<string, string> = {}) {
  const answer = await fetch(origin + where, { headers });
  const header = answer.headers.get("content-security-policy");
  const emitted = await answer.text();
  const scripts = /script-src ([^;]+)/.exec(header ?? "")?.[1]?.split(" ") ?? [];
  return { header, emitted, scripts };
}

const hash = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

test("a page that is rendered for its request has a nonce of its own, and Next receives the nonce", async () => {
  const [one, two] = [await policyOf("/chats?line=1"), await policyOf("/chats?line=1")];
  expect(one.emitted).toBe(one.header);
  expect(one.scripts).toEqual([
    "'self'",
    expect.stringMatching(/^'nonce-[A-Za-z0-9+/]{22}=='$/),
    hash(THEME),
  ]);
  expect(two.scripts[1]).not.toBe(one.scripts[1]);
});

test("a page the build rendered has the hashes of its inline scripts, and no nonce", async () => {
  expect((await policyOf("/docs?from=here")).scripts).toEqual(["'self'", hash(THEME), hash(DATA)]);
});

test("a policy header of the client is ignored, and no page allows inline scripts", async () => {
  const asked = { "content-security-policy": "script-src 'nonce-mine'" };
  for (const where of ["/", "/docs", "/sign-in", "/nothing"]) {
    const { header, emitted, scripts } = await policyOf(where, asked);
    expect(emitted).toBe(header);
    expect(scripts).not.toContain("'nonce-mine'");
    expect(scripts).not.toContain("'unsafe-inline'");
  }
});

test("files are shown from where they are served, and put where they are taken", async () => {
  const { header } = await policyOf("/attachments");
  expect(header).toContain(`img-src 'self' data: blob: ${CDN};`);
  expect(header).toContain(`media-src 'self' blob: ${CDN};`);
  expect(header).toContain(`connect-src 'self' ${CDN} ${BUCKET};`);
});

test("a checkout, its preview and the API keep their own", async () => {
  for (const where of ["/api/payment-settings/preview?color=red", "/pay/harbor?session=1", "/v3/chats"]) {
    expect((await policyOf(where)).header).toBeNull();
  }
});
