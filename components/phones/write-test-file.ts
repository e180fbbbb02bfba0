import type { RecordedPhone, RecordedStep } from "@/components/phones/recorded-step";

type ChatStep = Exclude<RecordedStep, { type: "connects" | "skipped" }>;
type Step<Type extends RecordedStep["type"]> = Extract<RecordedStep, { type: Type }>;

/** A PNG image of one pixel, in base64. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/**
 * Writes the recorded steps as a test file for Vitest and `trunkline/testing`. The test plays both sides, so that it
 * passes as recorded. The calls in place of the partner's program are marked with a comment.
 */
export function writeTestFile(steps: readonly RecordedStep[], phones: readonly RecordedPhone[]): string {
  const names = nameHandles(steps, phones);
  const writer = new Writer(names);
  const body = [...openings(steps, writer), ...steps.flatMap((step) => writer.write(step))];
  const lines = [...new Set(chatSteps(steps).map(({ line }) => line))];
  const sample = steps.some(({ type }) => type === "sendsImage")
    ? `\n// One pixel in place of each recorded image.\nconst IMAGE =\n  ${quoted(PIXEL)};\n`
    : "";
  return `import { test } from "vitest";
import { createSimulator } from "trunkline/testing";
${sample}
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
  const handles = steps.flatMap((step) => [
    step.phone,
    ...("others" in step ? step.others : []),
    ...("member" in step ? [step.member] : []),
  ]);
  return [...new Set(handles)];
}

function nameHandles(steps: readonly RecordedStep[], phones: readonly RecordedPhone[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(["sim", "test", "createSimulator", "IMAGE"]);
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
    const begins = "isNewGroup" in step && (step.others.length === 0 || step.isNewGroup);
    if (!begun.has(key) && !begins) lines.push(...writer.open(step));
    begun.add(key);
  }
  return lines.length === 0 ? [] : ["// The conversations that the recording continues.", ...lines, ""];
}

// The members of a group change, its chat does not.
function conversationOf({ line, chatId, phone, others }: ChatStep): string {
  if (chatId !== null) return `${line} ${chatId}`;
  if (others.length === 0) return `${line} ${phone}`;
  return `${line} ${[phone, ...others].sort().join(" ")}`;
}

/** The content of a message: a text, and further properties as source code. */
interface Content {
  text?: string;
  more?: string;
}

function optionsOf({ options }: { options: readonly string[] }): string {
  return `options: [${options.map((text) => `{ text: ${quoted(text)} }`).join(", ")}]`;
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
    const lines = [`const ${name} = await ${this.says({ ...step, isNewGroup: true }, { text: "Hello" })};`];
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
        return this.writeSays(step, {
          text: step.text,
          ...(step.effect === null ? {} : { more: `effect: { name: ${quoted(step.effect)} }` }),
        });
      case "sendsImage": {
        const filename = quoted(step.filename.replace(/\.[^.]*$/, ".png"));
        const sticker = step.isSticker ? ", sticker: true" : "";
        return this.writeSays(step, {
          more: `parts: [{ type: "media", filename: ${filename}, data: IMAGE${sticker} }]`,
        });
      }
      case "sendsPoll":
        return this.writeSays(step, { more: `parts: [{ type: "poll", ${optionsOf(step)} }]` });
      case "receivesPoll":
        return this.writeReceivesPoll(step);
      case "votes":
        return this.withMessage(step.messageId, (id) => this.writeVotes(step, id));
      case "addsOption":
        return this.withMessage(step.messageId, (id) => [
          `await sim.api.call("POST /simulator/phones/{handle}/poll_options", { path: { handle: ${phone}.handle }, body: { message_id: ${id}, options: [{ text: ${quoted(step.text)} }] } });`,
          'await sim.webhook("poll.updated");',
        ]);
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
      case "addsMember":
      case "removesMember": {
        const isAdded = step.type === "addsMember";
        return [
          `await sim.api.call("${isAdded ? "POST" : "DELETE"} /simulator/phones/{handle}/participants", { path: { handle: ${phone}.handle }, body: { chat_id: ${this.chatOf(step)}, handle: ${this.names.get(step.member)}.handle } });`,
          `await sim.webhook("participant.${isAdded ? "added" : "removed"}");`,
        ];
      }
      case "sharesLocation":
        return this.writeSharesLocation(step);
      case "stopsSharing":
        return [
          `await ${phone}.stopsSharingLocation(${this.chatOf(step)});`,
          'await sim.webhook("location.sharing.stopped");',
        ];
    }
  }

  private writeSays(step: Step<"says" | "sendsImage" | "sendsPoll">, content: Content): string[] {
    const name = `message${++this.counter}`;
    const line = `const ${name} = await ${this.says(step, content)};`;
    if (step.messageId !== null) this.messages.set(step.messageId, `${name}.message_id ?? ""`);
    const key = conversationOf(step);
    if (!this.chats.has(key)) this.chats.set(key, `${name}.chat_id ?? ""`);
    if (step.messageId === null) return [line];
    const event = step.type === "sendsPoll" ? "poll.received" : "message.received";
    return [line, `await sim.webhook("${event}");`];
  }

  private says(step: ChatStep & { isNewGroup: boolean }, { text, more }: Content): string {
    const { isNewGroup } = step;
    const phone = this.names.get(step.phone);
    const isGroup = step.others.length > 0;
    const properties = [
      ...(text === undefined ? [] : [`text: ${quoted(text)}`]),
      ...(isNewGroup && isGroup
        ? [`also_to: [${step.others.map((each) => `${this.names.get(each)}.handle`).join(", ")}]`]
        : []),
      ...(more === undefined ? [] : [more]),
    ];
    const isText = text !== undefined && properties.length === 1;
    const content = isText ? quoted(text) : `{ ${properties.join(", ")} }`;
    const line = this.names.get(step.line) ?? "sim.line";
    const to = isGroup && !isNewGroup ? this.chatOf(step) : line;
    return to === "sim.line" ? `${phone}.says(${content})` : `${phone}.says(${content}, { to: ${to} })`;
  }

  private writeReceivesPoll(step: Step<"receivesPoll">): string[] {
    if (this.sent.has(step.messageId)) return [];
    this.sent.add(step.messageId);
    const name = `poll${++this.counter}`;
    this.messages.set(step.messageId, `${name}.message_id`);
    return [
      "// In place of your program:",
      `const ${name} = await sim.api.call("POST /v3/chats/{chatId}/polls", { path: { chatId: ${this.chatOf(step)} }, body: { poll: { ${optionsOf(step)} } } });`,
      'await sim.webhook("poll.delivered");',
    ];
  }

  private writeVotes(step: Step<"votes">, id: string): string[] {
    const name = `poll${++this.counter}`;
    const option = `${name}.poll.options[${step.option}]?.option_id ?? ""`;
    return [
      `const ${name} = await sim.api.call("GET /v3/messages/{messageId}/poll", { path: { messageId: ${id} } });`,
      `await ${this.names.get(step.phone)}.votes(${id}, ${option}${step.isRemoved ? ', "remove"' : ""});`,
      `await sim.webhook("poll.vote.${step.isRemoved ? "removed" : "added"}");`,
    ];
  }

  private writeSharesLocation(step: Step<"sharesLocation">): string[] {
    const phone = this.names.get(step.phone);
    const { latitude, longitude } = step.position;
    const position = `{ latitude: ${latitude}, longitude: ${longitude} }`;
    const to = this.chatOf(step);
    const share =
      step.endsInSeconds === null
        ? `await ${phone}.sharesLocation(${position}, ${to});`
        : `await sim.api.call("POST /simulator/phones/{handle}/location", { path: { handle: ${phone}.handle }, body: { to: ${to}, position: ${position}, ends_in_seconds: ${step.endsInSeconds} } });`;
    return [share, 'await sim.webhook("location.sharing.started");'];
  }

  private writeReceives(step: Step<"receives">): string[] {
    const lines: string[] = [];
    if (!this.sent.has(step.messageId)) {
      this.sent.add(step.messageId);
      lines.push("// In place of your program:", `await ${this.sends(step)};`);
    }
    const name = `message${++this.counter}`;
    if (!this.messages.has(step.messageId)) this.messages.set(step.messageId, `${name}.message_id`);
    return [...lines, `const ${name} = await ${this.names.get(step.phone)}.receives(${quoted(step.text)});`];
  }

  private sends(step: Step<"receives">): string {
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

function reactionOf({ reaction, emoji, isRemoved }: Step<"reacts">): string {
  if (emoji === null && !isRemoved) return quoted(reaction);
  const properties = [
    `type: ${quoted(reaction)}`,
    ...(emoji === null ? [] : [`custom_emoji: ${quoted(emoji)}`]),
    ...(isRemoved ? ['operation: "remove"'] : []),
  ];
  return `{ ${properties.join(", ")} }`;
}
