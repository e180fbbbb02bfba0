import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const APP = fileURLToPath(new URL("../../app", import.meta.url));

/**
 * Every page of `app/`, each path parameter replaced by that of the demo, and the demo's pages outside `page.tsx`
 * (checkout and wallet). Throws for a parameter that the demo has no value for, so that a new page cannot be forgotten.
 */
export function listPages({ params, pages }) {
  const routes = readdirSync(APP, { recursive: true })
    .filter((file) => path.basename(file) === "page.tsx")
    .map((file) => path.dirname(file).split(path.sep))
    .map((parts) => parts.filter((part) => part !== "." && !part.startsWith("(")));
  const ofApp = routes.map((parts) => ({
    name: parts.join("-").replace(/[^a-z-]/gi, "") || "overview",
    url: `/${parts.map((part) => pathPart(part, params)).join("/")}`,
  }));
  return [...ofApp, ...pages].sort((a, b) => a.name.localeCompare(b.name));
}

function pathPart(part, params) {
  const name = /^\[(?:\.\.\.)?(.+)\]$/.exec(part)?.[1];
  if (name === undefined) return part;
  const value = params[name];
  if (value === undefined) throw new Error(`the demo has no value for [${name}]`);
  return encodeURIComponent(value);
}
