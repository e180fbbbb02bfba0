import type { Transport } from "@/components/composer/draft";
import { formatMoment } from "@/components/data/time/format-time";

/** The response of a dry run. */
export interface SendPlan {
  would_send: boolean;
  service: Transport | null;
  line: string;
  left_out: string[];
  /** The recipient's quiet hours, if it is within them. */
  quiet_hours?: { local_time: string; until: string };
  checks: { check: string; passed: boolean | null; code?: number; message?: string }[];
}

export interface PlanNote {
  isWarning: boolean;
  text: string;
}

const LOSSES: Readonly<Record<string, string>> = {
  effect: "the effect",
  decorations: "the formatting",
  mention: "the mentions",
  reply: "the reply quote",
  sticker: "the sticker placement",
  inline_sticker: "the stickers in the text",
  link_card: "the link card",
};

/** Describes a dry run: the service, the features it doesn't support, or why the message would be rejected. */
export function describePlan(plan: SendPlan, requested: Transport | null): PlanNote[] {
  const failed = plan.checks.find(({ passed }) => passed === false);
  if (failed !== undefined) {
    const text = `This message would be rejected: ${failed.message ?? failed.check} (${failed.code ?? "no code"}).`;
    return [{ isWarning: true, text }, ...nextStep(failed.code, plan.line)];
  }
  const { service, left_out } = plan;
  if (service === null) return [];
  const lost = left_out.map((what) => LOSSES[what] ?? what);
  return [
    ...quietNote(plan),
    requested !== null && requested !== service
      ? { isWarning: true, text: `This recipient doesn't have ${requested}. Will be sent over ${service}.` }
      : { isWarning: false, text: `Will be sent over ${service}.` },
    ...(lost.length === 0
      ? []
      : [
          {
            isWarning: true,
            text: `${service} doesn't support ${joinWords(lost)}. The rest of the message is delivered.`,
          },
        ]),
  ];
}

function quietNote({ quiet_hours: quiet }: SendPlan): PlanNote[] {
  if (quiet === undefined) return [];
  const until = formatMoment(Date.parse(quiet.until));
  const text = `It is ${quiet.local_time} for this person. Send now, or choose Send later: quiet hours end ${until}.`;
  return [{ isWarning: true, text }];
}

const NEVER_WROTE = 2008;

function nextStep(code: number | undefined, line: string): PlanNote[] {
  if (code !== NEVER_WROTE) return [];
  return [{ isWarning: true, text: `Ask them to send any message to ${line} first.` }];
}

function joinWords(things: readonly string[]): string {
  const [first = "", ...others] = things;
  const last = others.pop();
  return last === undefined ? first : `${[first, ...others].join(", ")} and ${last}`;
}
