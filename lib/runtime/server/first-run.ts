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

/** What the demo was made with, as `first-run.json` holds it. */
export type FirstRun = z.infer<typeof FirstRun>;

/** Where the demo's credentials are kept. */
export function firstRunFile(dataDir: string): string {
  return path.join(dataDir, "first-run.json");
}
