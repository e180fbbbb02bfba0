import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** The lowest major version of Node that runs the server. */
export const NODE_MAJOR = 24;

/**
 * Returns the path of a Node that runs the server: the one that runs this process if it is new enough, otherwise the
 * one of an installed npm package. Throws an Error if there is none.
 */
export function findNode() {
  if (Number(process.versions.node.split(".")[0]) >= NODE_MAJOR) return process.execPath;
  const found = packages().find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new Error(
    `Trunkline requires Node ${NODE_MAJOR}, and this is Node ${process.versions.node}. Install Node ${NODE_MAJOR} or newer. Otherwise install Trunkline with optional packages (without --omit=optional) and with the install script of the package "node" allowed (npm rebuild node).`,
  );
}

function packages() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const program = path.join("bin", platform === "win" ? "node.exe" : "node");
  const names = [
    `node-${platform}-${process.arch}`,
    // The name of the package for Macs with Apple silicon.
    `node-bin-${platform}-${process.arch}`,
    "node",
  ];
  return names.flatMap((name) => {
    const folder = packageFolder(name);
    return folder === null ? [] : [path.join(folder, program)];
  });
}

function packageFolder(name) {
  try {
    return path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}
