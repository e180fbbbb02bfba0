import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { requireDataDir } from "@/lib/operations/startup/require-data-dir";

const folder = mkdtempSync(path.join(tmpdir(), "trunkline-data-dir-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a data directory is made where it is missing, and left empty", () => {
  const dataDir = path.join(folder, "new", "data");
  requireDataDir(dataDir);
  expect(readdirSync(dataDir)).toEqual([]);
});

test("a path through a file is refused in words that name DATA_DIR", () => {
  writeFileSync(path.join(folder, "file"), "");
  expect(() => requireDataDir(path.join(folder, "file", "data"))).toThrow(
    /^DATA_DIR: .*file\/data is not writable \(a part of the path is a file\)/,
  );
});

const readOnly = path.join(folder, "read-only");

test.skipIf(!mountReadOnly())("a read-only disk is refused in words that name DATA_DIR", () => {
  try {
    expect(() => requireDataDir(readOnly)).toThrow(/^DATA_DIR: .*the file system is read-only/);
  } finally {
    execFileSync("umount", [readOnly]);
  }
});

// Only root can mount a file system.
function mountReadOnly(): boolean {
  mkdirSync(readOnly);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "ro", "tmpfs", readOnly], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
