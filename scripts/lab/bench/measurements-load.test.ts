import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const FOLDER = new URL(".", import.meta.url);

test("plain Node loads every measurement: it knows no paths that begin with @", async () => {
  const modules = readdirSync(FOLDER).filter((name) => /^measure-.*\.mjs$/.test(name));
  expect(modules.length).toBeGreaterThan(5);
  const imports = modules.map((name) => `await import(${JSON.stringify(new URL(name, FOLDER).href)});`);
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "--eval",
    `${imports.join("\n")} console.log("loaded")`,
  ]);
  expect(stdout).toBe("loaded\n");
});
