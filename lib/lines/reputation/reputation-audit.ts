import "server-only";
import { z } from "zod";
import { PhoneNumber } from "@/lib/platform/phone-handle";

const Severity = z.enum(["HEALTHY", "AT_RISK", "CRITICAL"]);

export const DriverKey = z.enum([
  "low_engagement",
  "overall_conversation_health",
  "volume_spike",
  "new_conversation_rate",
  "opt_out_handling",
  "flagged",
  "other",
]);
export type DriverKey = z.infer<typeof DriverKey>;

export const AuditReport = z.object({
  severity: Severity,
  /** A driver's key, or "" when there is none. */
  primary_driver: z.union([DriverKey, z.literal("")]),
  drivers: z.array(z.object({ key: DriverKey, summary: z.string(), metric: z.string() })),
  action_items: z.array(
    z.object({
      priority: z.int(),
      title: z.string(),
      detail: z.string(),
      expected_impact: z.enum(["high", "medium", "low"]),
    }),
  ),
  evidence: z.object({
    opt_out_chats: z.array(z.object({ chat_id: z.uuid(), messages_after_stop: z.int() })),
    unhealthy_chats: z.array(
      z.object({
        chat_id: z.uuid(),
        status: z.enum(["AT_RISK", "CRITICAL", "OPTED_OUT"]),
        driver_keys: z.array(DriverKey),
      }),
    ),
  }),
  /** What was counted (an extension). */
  metrics: z.record(z.string(), z.number()),
  summary_markdown: z.string(),
});
export type AuditReport = z.infer<typeof AuditReport>;

/** A reputation audit (contract.md 2.11). */
export const ReputationAudit = z
  .object({
    audit_id: z.uuid(),
    status: z.enum(["pending", "complete", "error"]),
    phone: z.string(),
    generated_at: z.iso.datetime().nullable(),
    error: z.string().nullable(),
    report: AuditReport.nullable(),
  })
  .meta({ id: "ReputationAudit" });

/** A line's number in a path, its `+` literal or %2B. */
export const PathNumber = z
  .string()
  .transform((value) => (value.startsWith("%2B") || value.startsWith("%2b") ? `+${value.slice(3)}` : value))
  .pipe(PhoneNumber);
