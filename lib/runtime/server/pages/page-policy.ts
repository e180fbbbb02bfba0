import "server-only";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { z } from "zod";
import type { FileOrigins } from "@/lib/attachments/files/file-origins";
import { secretBytes } from "@/lib/platform/ids";
import { apiPath } from "@/lib/runtime/server/api-router";

type PageHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** In development, Next also serves the API's routes, and some of them send their own policy. */
const hasOwnPolicy = (page: string) => apiPath(page) !== null;
/** Error pages. They can replace any page, so every policy allows the hashes of their scripts. */
const STAND_INS = ["/_not-found", "/_global-error"];
const NONCE_BYTES = 16;

interface PagePolicyOptions {
  /** In development, React needs eval for stack traces, and pages connect to the dev server's WebSocket. */
  development: boolean;
  files: FileOrigins;
  buildDir?: string;
}

/**
 * Gives each page a Content-Security-Policy that allows only Trunkline's own scripts. Next embeds page data as inline
 * scripts. Scripts of pages rendered per request carry the policy's nonce, which Next reads from the request header.
 * Scripts of prerendered pages are allowed by their hashes.
 */
export function withPagePolicy(handler: PageHandler, options: PagePolicyOptions): PageHandler {
  const { development, files, buildDir = ".next" } = options;
  const hashes = development ? new Map<string, string[]>() : readScriptHashes(buildDir);
  const ofStandIns = STAND_INS.flatMap((page) => hashes.get(page) ?? []);
  return (request, response) => {
    const page = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (!hasOwnPolicy(page)) {
      const nonce = `'nonce-${secretBytes(NONCE_BYTES).toString("base64")}'`;
      const scripts = hashes.get(page) ?? [nonce, ...ofStandIns];
      const allowed = development ? ["'unsafe-inline'", "'unsafe-eval'"] : scripts;
      const policy = toPolicy(allowed, files, development ? " ws: wss:" : "");
      request.headers["content-security-policy"] = policy;
      response.setHeader("Content-Security-Policy", policy);
    }
    return handler(request, response);
  };
}

function toPolicy(scripts: readonly string[], { shown, uploaded }: FileOrigins, sockets: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${[...new Set(scripts)].join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    `connect-src 'self' ${[...new Set([shown, uploaded])].join(" ")}${sockets}`,
    `img-src 'self' data: blob: ${shown}`,
    `media-src 'self' blob: ${shown}`,
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const Prerendered = z.object({ routes: z.record(z.string(), z.unknown()) });
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** The hashes of the inline scripts of every prerendered page, by path. */
function readScriptHashes(buildDir: string): Map<string, string[]> {
  const manifest = path.join(buildDir, "prerender-manifest.json");
  const { routes } = Prerendered.parse(JSON.parse(readFileSync(manifest, "utf8")));
  const pages = Object.keys(routes).map((route) => {
    const name = route === "/" ? "/index" : route;
    return { route, file: path.join(buildDir, "server", "app", `${name}.html`) };
  });
  return new Map(
    pages
      .filter(({ file }) => existsSync(file))
      .map(({ route, file }) => [route, hashesIn(readFileSync(file, "utf8"))]),
  );
}

function hashesIn(html: string): string[] {
  return [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
}
