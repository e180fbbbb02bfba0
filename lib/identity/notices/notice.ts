import "server-only";
import { z } from "zod";

const NOTICE_STATES = ["open", "dismissed", "ended"] as const;

/** A notice to the account's users, shown to each until they dismiss it or it no longer applies. */
export const Notice = z.object({
  id: z.uuid(),
  /** The subject of the notice: webhook_failing, webhook_disabled … */
  kind: z.string(),
  severity: z.enum(["info", "warning", "critical"]),
  title: z.string(),
  body: z.string(),
  /** The dashboard page about the subject. */
  link: z.string().nullable(),
  created_at: z.iso.datetime(),
  /** `dismissed` by the caller, or `ended` because it no longer applies. */
  state: z.enum(NOTICE_STATES),
  /** When it was dismissed or ended; null while it is open. */
  closed_at: z.iso.datetime().nullable(),
});

export type Notice = z.infer<typeof Notice>;
