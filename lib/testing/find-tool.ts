import { spawnSync } from "node:child_process";

/** Whether a program is installed; tests that need it say so in their name and are skipped without it. */
export function hasTool(name: string): boolean {
  return spawnSync(name, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** Runs work as on a machine that has no programs at all. */
export async function withoutTools<Result>(work: () => Promise<Result>): Promise<Result> {
  const path = process.env.PATH;
  process.env.PATH = "/nowhere";
  try {
    return await work();
  } finally {
    process.env.PATH = path;
  }
}
