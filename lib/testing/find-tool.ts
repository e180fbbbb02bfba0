import { spawnSync } from "node:child_process";

/** Whether a program is installed. Tests that need it name it in their title and are skipped without it. */
export function hasTool(name: string): boolean {
  return spawnSync(name, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** Runs `work` as on a machine without any external programs. */
export async function withoutTools<Result>(work: () => Promise<Result>): Promise<Result> {
  const path = process.env.PATH;
  process.env.PATH = "/nowhere";
  try {
    return await work();
  } finally {
    process.env.PATH = path;
  }
}
