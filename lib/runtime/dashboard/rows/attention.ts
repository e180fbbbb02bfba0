import "server-only";
import { z } from "zod";

/** A condition of the account that a person can improve, and the page where. */
export const Attention = z.object({
  /** Unique in the list, and the same while the condition lasts. */
  id: z.string(),
  severity: z.enum(["critical", "warning"]),
  title: z.string(),
  detail: z.string(),
  /** The dashboard page with the remedy. */
  href: z.string(),
  /** The label of the link. */
  action: z.string(),
});

export type Attention = z.infer<typeof Attention>;
