import "server-only";
import { z } from "zod";

/** What a condition is about. Pages sum up several conditions of one kind. */
export const ATTENTION_KINDS = [
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

/** A condition of the account that a person can improve, and the page where. */
export const Attention = z.object({
  /** Unique in the list, and the same while the condition lasts. */
  id: z.string(),
  kind: z.enum(ATTENTION_KINDS),
  severity: z.enum(["critical", "warning"]),
  title: z.string(),
  detail: z.string(),
  /** The time that ends the sentence of the detail. */
  at: z.iso.datetime().optional(),
  /** The dashboard page with the remedy. */
  href: z.string(),
  /** The label of the link. */
  action: z.string(),
});

export type Attention = z.infer<typeof Attention>;
