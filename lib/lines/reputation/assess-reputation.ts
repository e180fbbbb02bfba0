import "server-only";
import { DAILY_MESSAGES_ADVISED, NEW_CHATS_ADVISED } from "@/lib/lines/reputation/advised-limits";
import { lineReputation } from "@/lib/lines/reputation/line-reputation";
import type { LineAuditData } from "@/lib/lines/reputation/read-line-audit-data";
import type { AuditReport, DriverKey } from "@/lib/lines/reputation/reputation-audit";

const BASELINE_DAYS = 7;
const SPIKE_TIMES = 3;
const SPIKE_LEAST = 100;

interface Driver {
  /** The finding, or null when the factor does not apply. */
  find(details: LineAuditData): { summary: string; metric: string } | null;
  action: { title: string; detail: string; expected_impact: "high" | "medium" | "low" };
}

/** The risk factors of a line, most severe first. */
const DRIVERS = {
  flagged: {
    find: ({ status }) =>
      status === "FLAGGED"
        ? { summary: "The line is flagged and can't send messages.", metric: "FLAGGED" }
        : null,
    action: {
      title: "Send from another line",
      detail: "Stop sending from this line until its chats recover, or ask your operator to clear the flag.",
      expected_impact: "high",
    },
  },
  opt_out_handling: {
    find: ({ optOutChats }) => {
      const count = optOutChats.filter(({ messages_after_stop }) => messages_after_stop > 0).length;
      return count === 0
        ? null
        : { summary: "Recipients received messages after they opted out.", metric: `${count} chats` };
    },
    action: {
      title: "Stop messaging recipients who opted out",
      detail:
        "Use override_optout only for essential information, and remove these recipients from your lists.",
      expected_impact: "high",
    },
  },
  overall_conversation_health: {
    find: (details) =>
      lineReputation(details).reputation === "HEALTHY"
        ? null
        : {
            summary: "In many of the line's chats, the recipient did not reply or opted out.",
            metric: `${unhealthyPercent(details)}% of ${details.chats} chats`,
          },
    action: {
      title: "Send fewer messages to recipients who don't reply",
      detail:
        "After four messages without a reply, wait for the recipient. Ask questions that invite a reply.",
      expected_impact: "high",
    },
  },
  volume_spike: {
    find: ({ sentToday, receivedToday, sentBefore }) => {
      const usual = sentBefore / BASELINE_DAYS;
      const isSpike = sentToday >= SPIKE_LEAST && sentToday > usual * SPIKE_TIMES;
      if (!isSpike && sentToday + receivedToday <= DAILY_MESSAGES_ADVISED) return null;
      return {
        summary:
          "The line's volume in the last 24 hours is far above its average or above the recommended limit.",
        metric: `${sentToday} sent, ${Math.round(usual)} per day before`,
      };
    },
    action: {
      title: "Increase volume gradually",
      detail:
        "Distribute messages over more lines and days. Keep each line below 7,000 inbound and outbound messages per day.",
      expected_impact: "medium",
    },
  },
  new_conversation_rate: {
    find: ({ newChats }) =>
      newChats < NEW_CHATS_ADVISED
        ? null
        : {
            summary: "The line started many new chats in the last 24 hours.",
            metric: `${newChats} new chats`,
          },
    action: {
      title: "Start fewer chats per day",
      detail: "Keep each line below 50 new chats per day, and prefer recipients who wrote first.",
      expected_impact: "medium",
    },
  },
  other: {
    find: (details) =>
      details.critical + details.atRisk > 0 && lineReputation(details).reputation === "HEALTHY"
        ? {
            summary: "A few chats are unhealthy but don't affect the line's reputation yet.",
            metric: `${details.critical + details.atRisk} chats`,
          }
        : null,
    action: {
      title: "Review the unhealthy chats",
      detail: "The evidence lists these chats. A chat recovers when the recipient replies.",
      expected_impact: "low",
    },
  },
} as const satisfies Partial<Record<DriverKey, Driver>>;

const ORDER = [
  "flagged",
  "opt_out_handling",
  "overall_conversation_health",
  "volume_spike",
  "new_conversation_rate",
  "other",
] as const satisfies readonly DriverKey[];

/**
 * Builds an audit's report from its data (docs/contract.md, section 11.3). `low_engagement` applies only to single
 * chats.
 */
export function assessReputation(phone: string, details: LineAuditData): AuditReport {
  const found = ORDER.flatMap((key) => {
    const what = DRIVERS[key].find(details);
    return what === null ? [] : [{ key, ...what }];
  });
  const report = {
    severity: severityOf(
      details,
      found.map(({ key }) => key),
    ),
    primary_driver: found[0]?.key ?? ("" as const),
    drivers: found,
    action_items: found.map(({ key }, index) => ({ priority: index + 1, ...DRIVERS[key].action })),
    evidence: {
      opt_out_chats: details.optOutChats,
      unhealthy_chats: details.unhealthyChats.map(({ chat_id, status, has_answers }) => ({
        chat_id,
        status,
        driver_keys: chatDrivers(status, has_answers),
      })),
    },
    metrics: metricsOf(details),
  };
  return { ...report, summary_markdown: summarize(phone, report) };
}

function severityOf(details: LineAuditData, keys: readonly DriverKey[]): AuditReport["severity"] {
  const { reputation } = lineReputation(details);
  if (details.status === "FLAGGED" || reputation === "CRITICAL") return "CRITICAL";
  return reputation === "AT_RISK" || keys.some((key) => key !== "other") ? "AT_RISK" : "HEALTHY";
}

function chatDrivers(status: string, hasAnswers: boolean): DriverKey[] {
  if (status === "OPTED_OUT") return ["opt_out_handling"];
  return hasAnswers ? ["overall_conversation_health"] : ["low_engagement", "overall_conversation_health"];
}

function metricsOf(details: LineAuditData): Record<string, number> {
  return {
    chats: details.chats,
    at_risk_chats: details.atRisk,
    critical_chats: details.critical,
    opted_out_chats: details.optedOut,
    new_chats_24h: details.newChats,
    sent_24h: details.sentToday,
    received_24h: details.receivedToday,
    sent_7d_before: details.sentBefore,
  };
}

function unhealthyPercent({ chats, atRisk, critical, optedOut }: LineAuditData): number {
  return chats === 0 ? 0 : Math.round(((atRisk + critical + optedOut) / chats) * 100);
}

function summarize(phone: string, report: Omit<AuditReport, "summary_markdown">): string {
  const drivers = report.drivers.map(({ summary, metric }) => `- ${summary} (${metric})`);
  const actions = report.action_items.map(
    ({ priority, title, detail }) => `${priority}. **${title}.** ${detail}`,
  );
  return [
    `## ${phone}: ${report.severity}`,
    drivers.length === 0 ? "No risk factors." : drivers.join("\n"),
    ...(actions.length === 0 ? [] : [`### Recommended actions\n\n${actions.join("\n")}`]),
  ].join("\n\n");
}
