import type { Transport } from "@/components/composer/draft";

/** What a dry run answers. */
export interface SendPlan {
  would_send: boolean;
  service: Transport | null;
  line: string;
  left_out: string[];
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
  reply: "the quote it replies to",
  sticker: "the sticker's place",
  inline_sticker: "the stickers in the text",
  link_card: "the link's card",
};

/** What would become of a message, in words: over what, what would be lost, or why it would be refused. */
export function describePlan(plan: SendPlan, requested: Transport | null): PlanNote[] {
  const failed = plan.checks.find(({ passed }) => passed === false);
  if (failed !== undefined) {
    const text = `It would be refused: ${failed.message ?? failed.check} (${failed.code ?? "no code"}).`;
    return [{ isWarning: true, text }, ...nextStep(failed.code, plan.line)];
  }
  const { service, left_out } = plan;
  if (service === null) return [];
  const lost = left_out.map((what) => LOSSES[what] ?? what);
  return [
    requested !== null && requested !== service
      ? { isWarning: true, text: `${requested} does not reach them: it goes over ${service}.` }
      : { isWarning: false, text: `Goes over ${service}.` },
    ...(lost.length === 0
      ? []
      : [{ isWarning: true, text: `${service} leaves out ${inWords(lost)}; the rest arrives.` }]),
  ];
}

const NEVER_WROTE = 2008;

function nextStep(code: number | undefined, line: string): PlanNote[] {
  if (code !== NEVER_WROTE) return [];
  return [{ isWarning: true, text: `Have them send any message to ${line} first.` }];
}

function inWords(things: readonly string[]): string {
  const [first = "", ...others] = things;
  const last = others.pop();
  return last === undefined ? first : `${[first, ...others].join(", ")} and ${last}`;
}
