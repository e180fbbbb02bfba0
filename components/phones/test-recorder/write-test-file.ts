import { chatSteps, handlesOf, nameHandles } from "@/components/phones/name-handles";
import type { RecordedPhone, RecordedStep } from "@/components/phones/test-recorder/recorded-step";
import { conversationOf, quoted, TestFileWriter } from "@/components/phones/test-recorder/test-file-writer";

/** A PNG image of one pixel, in base64. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The header of a WAV file with a tenth of a second: 800 samples of 8 bits, in base64. */
const WAV_HEADER = "UklGRkQDAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YSADAAA=";

/**
 * Writes the recorded steps as a test file for Vitest and `trunkline/testing`. The test plays both sides, so that it
 * passes as recorded. The calls in place of the partner's program are marked with a comment.
 */
export function writeTestFile(steps: readonly RecordedStep[], phones: readonly RecordedPhone[]): string {
  const names = nameHandles(steps, phones);
  const writer = new TestFileWriter(names);
  const body = [...openings(steps, writer), ...steps.flatMap((step) => writer.write(step))];
  const lines = [...new Set(chatSteps(steps).map(({ line }) => line))];
  return `import { test } from "vitest";
import { createSimulator } from "trunkline/testing";
${samplesOf(steps)}
test("recorded on the Phones page", async () => {
  await using sim = await createSimulator(${lines.length > 1 ? `{ lines: ${lines.length} }` : ""});
${[...declareLines(lines), ...declarePhones(steps, phones, names), "", ...body].map(indented).join("\n")}
});
`;
}

/** The files that the test sends in place of the recorded ones. */
function samplesOf(steps: readonly RecordedStep[]): string {
  const has = (wanted: RecordedStep["type"]) => steps.some(({ type }) => type === wanted);
  return [
    has("sendsImage")
      ? `\n// One pixel in place of each recorded image.\nconst IMAGE =\n  ${quoted(PIXEL)};\n`
      : "",
    has("sendsVoiceMemo")
      ? `\n// A moment of silence in place of each recorded voice memo.\nconst MEMO = Buffer.concat([Buffer.from(${quoted(WAV_HEADER)}, "base64"), Buffer.alloc(800, 128)]).toString("base64");\n`
      : "",
  ].join("");
}

function indented(line: string): string {
  return line === "" ? "" : `  ${line}`;
}

function declareLines(lines: readonly string[]): string[] {
  if (lines.length < 2) return [];
  const others = lines.slice(1).map((_, at) => (at === 0 ? "otherLine" : `otherLine${at + 1}`));
  return [`const [, ${others.map((name) => `${name} = ""`).join(", ")}] = sim.lines;`];
}

function declarePhones(
  steps: readonly RecordedStep[],
  phones: readonly RecordedPhone[],
  names: ReadonlyMap<string, string>,
): string[] {
  return handlesOf(steps).map((handle) => {
    const platform = phones.find((each) => each.handle === handle)?.platform ?? "iphone";
    const settings = platform === "iphone" ? "" : `undefined, { platform: ${quoted(platform)} }`;
    return `const ${names.get(handle)} = await sim.phone(${settings}).exists();`;
  });
}

/** A sandbox sends only to phones that wrote to the line. A recording may begin in the middle of a conversation. */
function openings(steps: readonly RecordedStep[], writer: TestFileWriter): string[] {
  const begun = new Set<string>();
  const lines: string[] = [];
  for (const step of chatSteps(steps)) {
    const key = conversationOf(step);
    const begins = "isNewGroup" in step && (step.others.length === 0 || step.isNewGroup);
    if (!begun.has(key) && !begins) lines.push(...writer.open(step));
    begun.add(key);
  }
  return lines.length === 0 ? [] : ["// The conversations that the recording continues.", ...lines, ""];
}
