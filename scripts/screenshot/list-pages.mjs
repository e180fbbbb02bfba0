import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const APP = fileURLToPath(new URL("../../app", import.meta.url));

/**
 * Returns every page of `app/` with path parameters from the demo, and the demo's pages without a `page.tsx` (checkout
 * and wallet). Throws for a parameter that the demo has no value for, so that new pages can't be forgotten.
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
      name: parts.join("-").replace(/[^a-z-]/gi, "") || "home",
      url: `/${parts.map((part, index) => pathPart(part, { params, folder: parts[index - 1] })).join("/")}`,
      // These pages redirect signed-in users.
      isSignedOut: folders.includes("(auth)"),
    };
  });
  return [...ofApp, ...pages].sort((a, b) => a.name.localeCompare(b.name));
}

// Parameters of one name in several folders have the folder in their key.
function pathPart(part, { params, folder }) {
  const name = /^\[(?:\.\.\.)?(.+)\]$/.exec(part)?.[1];
  if (name === undefined) return part;
  const value = params[`${folder}/${name}`] ?? params[name];
  if (value === undefined) throw new Error(`the demo has no value for [${name}]`);
  return encodeURIComponent(value);
}
