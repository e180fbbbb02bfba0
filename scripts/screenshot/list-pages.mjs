import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const APP = fileURLToPath(new URL("../../app", import.meta.url));

/** The page of every URL without a page of its own. */
const UNMATCHED = "(unmatched)";

/** Every page of `app/` but "not found": its name, the folders of its URL, and whether signed-in users are redirected. */
export function listRoutes() {
  return readdirSync(APP, { recursive: true })
    .filter((file) => path.basename(file) === "page.tsx" && !file.startsWith(UNMATCHED))
    .map((file) => {
      const folders = path
        .dirname(file)
        .split(path.sep)
        .filter((part) => part !== ".");
      const parts = folders.filter((folder) => !folder.startsWith("("));
      return {
        name: parts.join("-").replace(/[^a-z0-9-]/gi, "") || "home",
        parts,
        isSignedOut: folders.includes("(auth)"),
      };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The URL of a route with path parameters from the demo. Throws for a parameter that the demo has no value for. */
export function urlOf({ parts }, { params }) {
  return `/${parts.map((part, index) => pathPart(part, { params, folder: parts[index - 1] })).join("/")}`;
}

/**
 * Returns every page of `app/`, and the demo's pages without a `page.tsx` (checkout and wallet). Throws for a parameter
 * that the demo has no value for, so that new pages can't be forgotten.
 */
export function listPages(demo) {
  const ofApp = listRoutes().map((route) => ({ ...route, url: urlOf(route, demo) }));
  return [...ofApp, ...demo.pages].sort((a, b) => a.name.localeCompare(b.name));
}

// Parameters of one name in several folders have the folder in their key.
function pathPart(part, { params, folder }) {
  const name = /^\[(?:\.\.\.)?(.+)\]$/.exec(part)?.[1];
  if (name === undefined) return part;
  const value = params[`${folder}/${name}`] ?? params[name];
  if (value === undefined) throw new Error(`the demo has no value for [${name}]`);
  return encodeURIComponent(value);
}
