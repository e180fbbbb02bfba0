#!/usr/bin/env node
// The command line `trunkline`: builds the bundle if needed and runs it.
import { existsSync } from "node:fs";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write("trunkline requires Node 20.19 or newer.\n");
  process.exit(2);
}
const bundle = new URL("../dist/cli.mjs", import.meta.url);
if (!existsSync(bundle)) await (await import("./build.mjs")).bundleIfMissing();
await import(bundle.href);
