import type { ChatStep } from "@/components/phones/name-handles";
import type { RecordedStep } from "@/components/phones/test-recorder/recorded-step";

type Step<Type extends RecordedStep["type"]> = Extract<RecordedStep, { type: Type }>;

export const quoted = (text: string) => JSON.stringify(text);

// The members of a group change, its chat does not.
export function conversationOf({ line, chatId, phone, others }: ChatStep): string {
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

/** Writes the steps of a recording as statements of a test, in their order. */
export class TestFileWriter {
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
      case "sendsVoiceMemo":
        return this.writeSays(step, {
          more: 'parts: [{ type: "media", filename: "Voice memo.wav", data: MEMO, voice_memo: true }]',
        });
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
      // No event reports an unsent message.
      case "unsends":
        return this.withMessage(step.messageId, (id) => [`await ${phone}.unsends(${id});`]);
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
      case "movesLocation":
        return [`await ${phone}.movesLocation(${positionOf(step)}, ${this.chatOf(step)});`];
      case "stopsSharing":
        return [
          `await ${phone}.stopsSharingLocation(${this.chatOf(step)});`,
          'await sim.webhook("location.sharing.stopped");',
        ];
    }
  }

  private writeSays(
    step: Step<"says" | "sendsImage" | "sendsVoiceMemo" | "sendsPoll">,
    content: Content,
  ): string[] {
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
    const position = positionOf(step);
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

function positionOf({ position: { latitude, longitude } }: Step<"sharesLocation" | "movesLocation">): string {
  return `{ latitude: ${latitude}, longitude: ${longitude} }`;
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
