import "server-only";
import { z } from "zod";

/** The types of problems. Home shows a count of each. */
const ATTENTION_TYPES = [
  "endpoint",
  "line",
  "loop",
  "near-misses",
  "opt-out-spike",
  "failed-messages",
  "processor",
  "declined-payments",
  "token",
] as const;

/** A problem of the account that a user can fix, and the dashboard page to do so. */
export const Attention = z.object({
  /** Unique in the list, and the same until the problem is fixed. */
  id: z.string(),
  type: z.enum(ATTENTION_TYPES),
  severity: z.enum(["critical", "warning"]),
  title: z.string(),
  detail: z.string(),
  /** The time that ends the sentence of the detail. */
  at: z.iso.datetime().optional(),
  /** The path of the dashboard page. */
  href: z.string(),
  /** The label of the link. */
  action: z.string(),
});

export type Attention = z.infer<typeof Attention>;
