import { styled } from "@/scripts/cli/cli-context";
import { AREAS, type Area, type Check } from "@/scripts/cli/conform/check";

/** How many checks had which outcome. */
interface Summary {
  passed: number;
  different: number;
  skipped: number;
}

export function summaryOf(checks: readonly Check[]): Summary {
  const count = (outcome: Check["outcome"]) => checks.filter((one) => one.outcome === outcome).length;
  return { passed: count("passed"), different: count("different"), skipped: count("skipped") };
}

/** The areas of a run that proves nothing about them, and why. */
export interface Untested {
  areas: readonly Area[];
  reason: string;
}

/** The areas of `only` without a check that ran, or all areas if no check ran; null if every one has been tested. */
export function untestedOf(checks: readonly Check[], only: readonly Area[]): Untested | null {
  const tested = new Set(checks.filter(({ outcome }) => outcome !== "skipped").map(({ area }) => area));
  const areas = tested.size === 0 && only.length === 0 ? AREAS : only.filter((area) => !tested.has(area));
  if (areas.length === 0) return null;
  const skipped = checks.find(({ area, outcome }) => outcome === "skipped" && areas.includes(area));
  return { areas, reason: (skipped ?? checks.at(-1))?.seen ?? "the document has no operations" };
}

/** `Nothing was tested of lists, sends` */
function describeUntested({ areas }: Untested): string {
  return `Nothing was tested${areas.length === AREAS.length ? "" : ` of ${areas.join(", ")}`}`;
}

/** `Nothing was tested of lists, sends: the account has no line.` */
export function explainUntested(untested: Untested): string {
  return `${describeUntested(untested)}: ${untested.reason}.`;
}

/** The report for people: a table by area, each difference in full, and the reasons of skipped checks. */
export function toLines(checks: readonly Check[], untested: Untested | null): string[] {
  const areas = AREAS.filter((area) => checks.some((one) => one.area === area));
  const total = summaryOf(checks);
  const rows = areas.map((area) => rowOf(area, summaryOf(checks.filter((one) => one.area === area))));
  const differences = checks.filter(({ outcome }) => outcome === "different");
  const isSame = total.different === 0 && untested === null;
  const problem =
    untested === null || total.different > 0 ? "Different from the contract" : describeUntested(untested);
  const verdict = isSame ? styled("green", "The same as the contract") : styled("red", problem);
  return [
    `${"area".padEnd(12)}  passed  different  skipped`,
    ...rows,
    rowOf("total", total),
    ...differences.flatMap(differenceLines),
    ...skipLines(checks),
    ...noteLines(checks),
    "",
    `${verdict}: ${total.passed} passed, ${total.different} different, ${total.skipped} skipped.`,
  ];
}

function rowOf(name: Area | "total", { passed, different, skipped }: Summary): string {
  const cell = (count: number, width: number) => String(count).padStart(width);
  return `${name.padEnd(12)}  ${cell(passed, 6)}  ${cell(different, 9)}  ${cell(skipped, 7)}`;
}

function differenceLines({ id, section, expected, seen, request }: Check): string[] {
  return [
    "",
    `${styled("red", "different")}  ${id}`,
    `  expected  ${expected} (contract, section ${section})`,
    `  seen      ${seen}`,
    ...(request === undefined ? [] : [`  request   ${request}`]),
  ];
}

/** Each reason once, with the number of its checks. */
function skipLines(checks: readonly Check[]): string[] {
  const reasons = new Map<string, string[]>();
  for (const { id, seen } of checks.filter(({ outcome }) => outcome === "skipped")) {
    reasons.set(seen, [...(reasons.get(seen) ?? []), id]);
  }
  if (reasons.size === 0) return [];
  const lines = [...reasons].map(([reason, ids]) => {
    const more = ids.length > 2 ? ` and ${ids.length - 2} more` : "";
    return `  ${String(ids.length).padStart(3)}  ${reason}: ${ids.slice(0, 2).join(", ")}${more}`;
  });
  return ["", "Not tested:", ...lines];
}

function noteLines(checks: readonly Check[]): string[] {
  const notes = new Set(
    checks.flatMap(({ notes: all = [] }) => all.map((one) => one.replaceAll(/\[\d+\]/g, "[]"))),
  );
  if (notes.size === 0) return [];
  const shown = [...notes].slice(0, 10).map((note) => `  ${note}`);
  const more = notes.size > shown.length ? [`  and ${notes.size - shown.length} more, with --json`] : [];
  return [
    "",
    "Fields beyond the document, and missing ones beyond the specification, which are allowed:",
    ...shown,
    ...more,
  ];
}
