import type { RecordedPhone, RecordedStep } from "@/components/phones/test-recorder/recorded-step";

/** A step in a conversation. */
export type ChatStep = Exclude<RecordedStep, { type: "connects" | "skipped" }>;

export function chatSteps(steps: readonly RecordedStep[]): ChatStep[] {
  return steps.filter((step): step is ChatStep => "line" in step);
}

/** The handles of all phones in a recording, in the order of their first step. */
export function handlesOf(steps: readonly RecordedStep[]): string[] {
  const handles = steps.flatMap((step) => [
    step.phone,
    ...("others" in step ? step.others : []),
    ...("member" in step ? [step.member] : []),
  ]);
  return [...new Set(handles)];
}

/** The expression of each phone and line in a test file: a variable named after the person, or `sim.line`. */
export function nameHandles(
  steps: readonly RecordedStep[],
  phones: readonly RecordedPhone[],
): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(["sim", "test", "createSimulator", "IMAGE", "MEMO"]);
  const claim = (wanted: string): string => {
    for (let count = 1; ; count++) {
      const name = count === 1 ? wanted : `${wanted}${count}`;
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
  };
  for (const handle of handlesOf(steps)) {
    const phone = phones.find((each) => each.handle === handle);
    names.set(handle, claim(toIdentifier(phone?.name ?? "") ?? "phone"));
  }
  for (const [at, line] of [...new Set(chatSteps(steps).map((step) => step.line))].entries()) {
    names.set(line, at === 0 ? "sim.line" : claim("otherLine"));
  }
  return names;
}

/** "Ada's iPhone" becomes `adasIphone`; null for a name without Latin letters. */
function toIdentifier(name: string): string | null {
  const words = name.replace(/['’]/g, "").match(/[A-Za-z][A-Za-z0-9]*/g) ?? [];
  const [first, ...others] = words.map((word) => word.toLowerCase());
  if (first === undefined) return null;
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
