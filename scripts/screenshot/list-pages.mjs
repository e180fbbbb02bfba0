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
    .map((file) =>
      path
        .dirname(file)
        .split(path.sep)
        .filter((part) => part !== "."),
    );
  const ofApp = routes.map((folders) => {
    const parts = folders.filter((folder) => !folder.startsWith("("));
    return {
      name: parts.join("-").replace(/[^a-z-]/gi, "") || "overview",
      url: `/${parts.map((part) => pathPart(part, params)).join("/")}`,
      // A person who is signed in is redirected from these pages.
      isSignedOut: folders.includes("(auth)"),
    };
  });
  return [...ofApp, ...pages].sort((a, b) => a.name.localeCompare(b.name));
}

function pathPart(part, params) {
  const name = /^\[(?:\.\.\.)?(.+)\]$/.exec(part)?.[1];
  if (name === undefined) return part;
  const value = params[name];
  if (value === undefined) throw new Error(`the demo has no value for [${name}]`);
  return encodeURIComponent(value);
}
