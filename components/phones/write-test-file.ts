import type { RecordedPhone, RecordedStep } from "@/components/phones/recorded-step";

type ChatStep = Exclude<RecordedStep, { type: "connects" | "skipped" }>;

/**
 * Writes the recorded steps as a test file for Vitest and `trunkline/testing`. The test plays both sides, so that it
 * passes as recorded. The calls in place of the partner's program are marked with a comment.
 */
export function writeTestFile(steps: readonly RecordedStep[], phones: readonly RecordedPhone[]): string {
  const names = nameHandles(steps, phones);
  const writer = new Writer(names);
  const body = [...openings(steps, writer), ...steps.flatMap((step) => writer.write(step))];
  const lines = [...new Set(chatSteps(steps).map(({ line }) => line))];
  return `import { test } from "vitest";
import { createSimulator } from "trunkline/testing";

test("recorded on the Phones page", async () => {
  await using sim = await createSimulator(${lines.length > 1 ? `{ lines: ${lines.length} }` : ""});
${[...declareLines(lines), ...declarePhones(steps, phones, names), "", ...body].map(indented).join("\n")}
});
`;
}

function indented(line: string): string {
  return line === "" ? "" : `  ${line}`;
}

function chatSteps(steps: readonly RecordedStep[]): ChatStep[] {
  return steps.filter((step): step is ChatStep => "line" in step);
}

function handlesOf(steps: readonly RecordedStep[]): string[] {
  return [...new Set(steps.flatMap((step) => [step.phone, ...("others" in step ? step.others : [])]))];
}

function nameHandles(steps: readonly RecordedStep[], phones: readonly RecordedPhone[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(["sim", "test", "createSimulator"]);
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

const quoted = (text: string) => JSON.stringify(text);

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
function openings(steps: readonly RecordedStep[], writer: Writer): string[] {
  const begun = new Set<string>();
  const lines: string[] = [];
  for (const step of chatSteps(steps)) {
    const key = conversationOf(step);
    const begins = step.type === "says" && (step.others.length === 0 || step.isNewGroup);
    if (!begun.has(key) && !begins) lines.push(...writer.open(step));
    begun.add(key);
  }
  return lines.length === 0 ? [] : ["// The conversations that the recording continues.", ...lines, ""];
}

function conversationOf({ line, phone, others }: ChatStep): string {
  if (others.length === 0) return `${line} ${phone}`;
  return `${line} ${[phone, ...others].sort().join(" ")}`;
}

class Writer {
  /** The variables that hold the messages, by message id: an expression for each id. */
  private readonly messages = new Map<string, string>();
  private readonly chats = new Map<string, string>();
  private readonly sent = new Set<string>();
  private counter = 0;

  constructor(private readonly names: ReadonlyMap<string, string>) {}

  open(step: ChatStep): string[] {
    const name = `opening${++this.counter}`;
    this.chats.set(conversationOf(step), `${name}.chat_id ?? ""`);
    const lines = [`const ${name} = await ${this.says(step, "Hello", { isNewGroup: true, effect: null })};`];
    if (step.others.length === 0) lines.push('await sim.webhook("message.received");');
    return lines;
  }

  write(step: RecordedStep): string[] {
    if (step.type === "connects") {
      return [`await ${this.names.get(step.phone)}.is({ connection: ${quoted(step.connection)} });`];
    }
    if (step.type === "skipped") return [`// Left out: ${step.what}.`];
    const phone = this.names.get(step.phone);
    switch (step.type) {
      case "says":
        return this.writeSays(step);
      case "receives":
        return this.writeReceives(step);
      case "reacts":
        return this.withMessage(step.messageId, (id) => [
          `await ${phone}.reacts(${id}, ${reactionOf(step)});`,
          `await sim.webhook("reaction.${step.isRemoved ? "removed" : "added"}");`,
        ]);
      case "edits":
        return this.withMessage(step.messageId, (id) => [
          `await ${phone}.edits(${id}, ${quoted(step.text)});`,
          'await sim.webhook("message.edited");',
        ]);
      case "reads":
        return [`await ${phone}.reads(${this.chatOf(step)});`];
      case "leaves":
        return [`await ${phone}.leaves(${this.chatOf(step)});`, 'await sim.webhook("participant.removed");'];
      case "renames":
        return [
          `await ${phone}.renamesGroup(${quoted(step.name)}, ${this.chatOf(step)});`,
          'await sim.webhook("chat.group_name_updated");',
        ];
    }
  }

  private writeSays(step: Extract<RecordedStep, { type: "says" }>): string[] {
    const name = `message${++this.counter}`;
    const line = `const ${name} = await ${this.says(step, step.text, step)};`;
    if (step.messageId !== null) this.messages.set(step.messageId, `${name}.message_id ?? ""`);
    const key = conversationOf(step);
    if (!this.chats.has(key)) this.chats.set(key, `${name}.chat_id ?? ""`);
    return step.messageId === null ? [line] : [line, 'await sim.webhook("message.received");'];
  }

  private says(
    step: ChatStep,
    text: string,
    { isNewGroup, effect }: { isNewGroup: boolean; effect: string | null },
  ): string {
    const phone = this.names.get(step.phone);
    const isGroup = step.others.length > 0;
    const also =
      isNewGroup && isGroup
        ? `also_to: [${step.others.map((each) => `${this.names.get(each)}.handle`).join(", ")}]`
        : "";
    const shown = effect === null ? "" : `effect: { name: ${quoted(effect)} }`;
    const more = [also, shown].filter((each) => each !== "");
    const content = more.length === 0 ? quoted(text) : `{ text: ${quoted(text)}, ${more.join(", ")} }`;
    const line = this.names.get(step.line) ?? "sim.line";
    const to = isGroup && !isNewGroup ? this.chatOf(step) : line;
    return to === "sim.line" ? `${phone}.says(${content})` : `${phone}.says(${content}, { to: ${to} })`;
  }

  private writeReceives(step: Extract<RecordedStep, { type: "receives" }>): string[] {
    const lines: string[] = [];
    if (!this.sent.has(step.messageId)) {
      this.sent.add(step.messageId);
      lines.push("// In place of your program:", `await ${this.sends(step)};`);
    }
    const name = `message${++this.counter}`;
    if (!this.messages.has(step.messageId)) this.messages.set(step.messageId, `${name}.message_id`);
    return [...lines, `const ${name} = await ${this.names.get(step.phone)}.receives(${quoted(step.text)});`];
  }

  private sends(step: Extract<RecordedStep, { type: "receives" }>): string {
    const message = `{ parts: [{ type: "text", value: ${quoted(step.text)} }] }`;
    return `sim.api.call("POST /v3/chats/{chatId}/messages", { path: { chatId: ${this.chatOf(step)} }, body: { message: ${message} } })`;
  }

  private chatOf(step: ChatStep): string {
    return this.chats.get(conversationOf(step)) ?? '""';
  }

  /** Leaves out an action on a message from before the recording. */
  private withMessage(messageId: string, write: (id: string) => string[]): string[] {
    const id = this.messages.get(messageId);
    return id === undefined ? ["// Left out: an action on a message from before the recording."] : write(id);
  }
}

function reactionOf({ reaction, emoji, isRemoved }: Extract<RecordedStep, { type: "reacts" }>): string {
  if (emoji === null && !isRemoved) return quoted(reaction);
  const properties = [
    `type: ${quoted(reaction)}`,
    ...(emoji === null ? [] : [`custom_emoji: ${quoted(emoji)}`]),
    ...(isRemoved ? ['operation: "remove"'] : []),
  ];
  return `{ ${properties.join(", ")} }`;
}
