import "server-only";
import { z } from "zod";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";

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
  severity: Severity.describe("Overall risk of the line."),
  primary_driver: z
    .union([DriverKey, z.literal("")])
    .describe("Key of the most important driver; empty when there is none."),
  drivers: z
    .array(
      z.object({
        key: DriverKey.describe("Key of the driver."),
        summary: z.string().describe("The finding, in one sentence."),
        metric: z.string().describe("Measured value of the driver, as text."),
      }),
    )
    .describe("Factors that affect the reputation of the line, most important first."),
  action_items: z
    .array(
      z.object({
        priority: z.int().describe("Order of the actions; 1 comes first."),
        title: z.string().describe("The action in a few words."),
        detail: z.string().describe("How to carry out the action."),
        expected_impact: z
          .enum(["high", "medium", "low"])
          .describe("Expected improvement of the reputation."),
      }),
    )
    .describe("Recommended actions."),
  evidence: z
    .object({
      opt_out_chats: z
        .array(
          z.object({
            chat_id: z.uuid().describe("ID of the chat."),
            messages_after_stop: z.int().describe("Number of messages sent after the opt-out keyword."),
          }),
        )
        .describe("Chats with messages sent after an opt-out."),
      unhealthy_chats: z
        .array(
          z.object({
            chat_id: z.uuid().describe("ID of the chat."),
            status: z.enum(["AT_RISK", "CRITICAL", "OPTED_OUT"]).describe("Health of the chat."),
            driver_keys: z.array(DriverKey).describe("Drivers that apply to the chat."),
          }),
        )
        .describe("Chats that are not `HEALTHY`, at most 15."),
    })
    .describe("The chats that the report is based on."),
  metrics: z
    .record(z.string(), z.number())
    .describe("Counts that the report is based on, by name. A Trunkline extension."),
  summary_markdown: z.string().describe("The report as Markdown."),
});
export type AuditReport = z.infer<typeof AuditReport>;

/** A reputation audit (docs/contract.md, section 11.3). */
export const ReputationAudit = z
  .object({
    audit_id: z.uuid().describe("ID of the audit."),
    status: z
      .enum(["pending", "complete", "error"])
      .describe("`pending` while the audit runs, then `complete` or `error`."),
    phone: z.string().describe("The audited line, in E.164 format."),
    generated_at: z.iso
      .datetime()
      .nullable()
      .describe("When the report was generated; `null` while pending."),
    error: z.string().nullable().describe("Why the audit failed; `null` otherwise."),
    report: AuditReport.nullable().describe("The report; `null` until the audit is complete."),
  })
  .meta({
    id: "ReputationAudit",
    description: "A reputation audit of a line.",
    examples: [
      {
        audit_id: "019ca9c2-4c0a-7bd1-8a10-c5d6e7f80912",
        status: "complete",
        phone: "+12025550100",
        generated_at: "2026-03-01T12:00:05.000Z",
        error: null,
        report: {
          severity: "AT_RISK",
          primary_driver: "overall_conversation_health",
          drivers: [
            { key: "overall_conversation_health", summary: "6 of 20 chats are not healthy.", metric: "30%" },
          ],
          action_items: [
            {
              priority: 1,
              title: "Pause chats without replies",
              detail: "Stop messaging recipients who have not answered four messages.",
              expected_impact: "high",
            },
          ],
          evidence: {
            opt_out_chats: [],
            unhealthy_chats: [
              {
                chat_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182",
                status: "AT_RISK",
                driver_keys: ["low_engagement"],
              },
            ],
          },
          metrics: { chats: 20, unhealthy_chats: 6 },
          summary_markdown: "**AT_RISK**: 6 of 20 chats are not healthy.",
        },
      },
    ],
  });

/** A line's number in a path, with its `+` literal or as %2B. */
export const PathNumber = z
  .string()
  .transform((value) => (value.startsWith("%2B") || value.startsWith("%2b") ? `+${value.slice(3)}` : value))
  .pipe(PhoneNumber);
