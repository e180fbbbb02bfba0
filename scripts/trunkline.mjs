#!/usr/bin/env node
// The command line `trunkline`: builds the bundle if needed and runs it. The version needs no bundle.
import { existsSync, readFileSync } from "node:fs";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write("trunkline requires Node 20.19 or newer.\n");
  process.exit(2);
}
if (process.argv[2] === "--version" || process.argv[2] === "-V") {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${version}\n`);
} else {
  const bundle = new URL("../dist/cli.mjs", import.meta.url);
  if (!existsSync(bundle)) await (await import("./build.mjs")).bundleIfMissing();
  await import(bundle.href);
}
