import "server-only";
import type { HealthStatus } from "@/lib/platform/prisma/enums";

interface LineKind {
  /** The effect that a partner observes. */
  effect: string;
  /** A reputation that the line keeps. */
  reputation?: HealthStatus;
  /** The line is flagged by this send. */
  flaggedAtSend?: number;
  hasRcs?: boolean;
}

/** The kinds of simulated lines. */
export const LINE_KINDS = {
  healthy: { effect: "sends and receives" },
  at_risk: { effect: "reputation AT_RISK, which does not change", reputation: "AT_RISK" },
  critical: { effect: "reputation CRITICAL, which does not change", reputation: "CRITICAL" },
  flagged_at_tenth_send: {
    effect: "FLAGGED by the tenth message: later writes fail with 2027",
    flaggedAtSend: 10,
  },
  without_rcs: { effect: "has no RCS account: operations that require RCS fail with 4009", hasRcs: false },
} as const satisfies Record<string, LineKind>;

export const LINE_KIND_NAMES = Object.keys(LINE_KINDS) as [LineKindName, ...LineKindName[]];

export type LineKindName = keyof typeof LINE_KINDS;

/** The settings of a kind. */
export function lineKind(name: LineKindName): LineKind {
  return LINE_KINDS[name];
}
