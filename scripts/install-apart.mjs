// Packages that only the API explorer or one test needs. They and what they depend on would be a fifth of node_modules,
// so each is installed on its own when it is first needed, in dist/apart.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withBuildLock } from "./build-lock.mjs";

const APART = fileURLToPath(new URL("../dist/apart", import.meta.url));
const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/** `files`: all that is kept of it. `isWhole`: with the packages that it depends on. */
const PACKAGES = {
  "@scalar/api-reference": {
    version: "1.72.1",
    integrity:
      "sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==",
    files: ["package.json", "README.md", "dist/browser/standalone.js"],
  },
  "@modelcontextprotocol/inspector": {
    version: "2.12.0",
    integrity:
      "sha512-ppfN5+HnVWo6dY7jz5RMFUFTfEYPnFUjN3XN2w6PI6nmB/AFFXPGPfLBRvCeSx+qIH6kpi7Nsz5HYRp49loHpA==",
    isWhole: true,
  },
  eve: {
    version: "0.80.1",
    integrity:
      "sha512-s890vy5W9Cqovq2ceIb+oe7zLVclPPidceso9ln17ljNwRLGE+92uGz1K7tayvhcXVK/z5bjx0szLNeLR2ItPA==",
  },
};

/** The version of one of the packages. */
export function versionApart(name) {
  return PACKAGES[name].version;
}

/**
 * Installs one of the packages, unless it is installed. Resolves with its folder, or with null if the registry can't be
 * reached; says so on the standard error. Throws an Error with npm's output if the installation fails otherwise.
 */
export async function installApart(name) {
  const { version } = PACKAGES[name];
  const project = path.join(APART, `${name}@${version}`);
  const folder = path.join(project, "node_modules", name);
  return withBuildLock(`${project}.lock`, async () => {
    if (existsSync(project)) return folder;
    const draft = mkdtempSync(`${project}-`);
    try {
      await install(name, draft);
      renameSync(draft, project);
      return folder;
    } catch (error) {
      if (!UNREACHABLE.test(error.message)) throw error;
      process.stderr.write(`${name} is not installed, because the registry can't be reached.\n`);
      return null;
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  });
}

async function install(name, project) {
  const { version, integrity, files = [], isWhole = false } = PACKAGES[name];
  await npm(["pack", `${name}@${version}`], project);
  const [tarball] = readdirSync(project);
  const hash = createHash("sha512").update(readFileSync(path.join(project, tarball)));
  if (`sha512-${hash.digest("base64")}` !== integrity) throw new Error(`${name}@${version} was changed.`);
  if (isWhole) {
    writeFileSync(path.join(project, "package.json"), JSON.stringify({ private: true }));
    await npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", `./${tarball}`], project);
  } else {
    mkdirSync(path.join(project, "node_modules", name), { recursive: true });
    const into = ["--strip-components", "1", "--directory", path.join("node_modules", name)];
    await run("tar", ["-xzf", tarball, ...into, ...files.map((file) => `package/${file}`)], project);
  }
  rmSync(path.join(project, tarball));
}

function npm(args, cwd) {
  return run("npm", [...args, "--loglevel=error", "--fetch-retries=1"], cwd);
}

function run(command, args, cwd) {
  const options = { cwd, encoding: "utf8", shell: process.platform === "win32" };
  return new Promise((resolve, reject) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`${command} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error }));
    });
  });
}
