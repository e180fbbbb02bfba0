import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

const MIRROR = "http://deb.debian.org/debian";
/** Folders of /usr/share that Debian's slim images leave out too. */
const DOCUMENTS = ["doc", "man", "info", "locale", "lintian", "linda"];

/**
 * Builds the root file system that the Dockerfile describes in `root`: Debian's base system, Node, the users that it
 * creates, and the staged files of the image. Requires root and debootstrap. Returns the size in bytes of `base` (Debian),
 * `node` and `app`. Throws an Error with the output of the command that failed.
 */
export function buildRoot({ root, dockerfile, node, staged }) {
  run("debootstrap", ["--variant=minbase", dockerfile.debian, root, MIRROR]);
  run("chroot", [root, "apt-get", "clean"]);
  for (const folder of DOCUMENTS)
    rmSync(path.join(root, "usr/share", folder), { recursive: true, force: true });
  const lists = path.join(root, "var/lib/apt/lists");
  for (const entry of readdirSync(lists)) rmSync(path.join(lists, entry), { recursive: true, force: true });
  const base = sizeOf(root);
  for (const command of dockerfile.runs) run("chroot", [root, "/bin/sh", "-c", command]);
  cpSync(node, path.join(root, "usr/local/bin/node"));
  const app = path.join(root, dockerfile.workdir);
  cpSync(staged, app, { recursive: true });
  run("chown", ["--recursive", "root:root", app]);
  return { base, node: sizeOf(path.join(root, "usr/local/bin/node")), app: sizeOf(app) };
}

function run(command, args) {
  try {
    execFileSync(command, args, { stdio: "pipe", encoding: "utf8" });
  } catch (error) {
    throw new Error(`${command} ${args.join(" ")} failed:\n${error.stdout}\n${error.stderr}`, {
      cause: error,
    });
  }
}

// Like the layers of an image, without directories.
function sizeOf(file) {
  const sizes = execFileSync("find", [file, "-type", "f", "-printf", "%s\\n"], { encoding: "utf8" });
  return sizes.split("\n").reduce((sum, size) => sum + Number(size), 0);
}
