import "server-only";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

export const FirstRun = z.object({
  base_url: z.string(),
  token: z.string(),
  line: z.string(),
  rcs_line: z.string(),
  phone: z.string(),
  admin: z.object({ email: z.string(), password: z.string() }),
  /** false until the demo's phones have written. The next start then continues. */
  is_complete: z.boolean().default(true),
});

/** The demo's credentials and numbers, as in `first-run.json`. */
export type FirstRun = z.infer<typeof FirstRun>;

/** The path of the file with the demo's credentials. */
export function firstRunFile(dataDir: string): string {
  return path.join(dataDir, "first-run.json");
}

/** Reads the demo's credentials. null = there are none; "damaged" = the file is not what a start has written. */
export function readFirstRun(dataDir: string): FirstRun | "damaged" | null {
  const file = firstRunFile(dataDir);
  if (!existsSync(file)) return null;
  try {
    return FirstRun.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return "damaged";
  }
}
