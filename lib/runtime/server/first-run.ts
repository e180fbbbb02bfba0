import "server-only";
import path from "node:path";
import { z } from "zod";

export const FirstRun = z.object({
  base_url: z.string(),
  token: z.string(),
  line: z.string(),
  rcs_line: z.string(),
  phone: z.string(),
  admin: z.object({ email: z.string(), password: z.string() }),
});

/** The demo's credentials and numbers, as in `first-run.json`. */
export type FirstRun = z.infer<typeof FirstRun>;

/** The path of the file with the demo's credentials. */
export function firstRunFile(dataDir: string): string {
  return path.join(dataDir, "first-run.json");
}
