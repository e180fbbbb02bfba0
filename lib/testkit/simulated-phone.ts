import type { ApiClient } from "@/lib/testkit/api-client";
import type { BodyOf, ResponseOf } from "@/lib/testkit/api-operations";
import { Inbox, type InboxMemory } from "@/lib/testkit/inbox";
import { describeMatch, matchesText, type TextMatch } from "@/lib/testkit/match-text";

/** A message as a phone received it. */
export type ReceivedMessage = ResponseOf<"GET /simulator/outbox">["messages"][number] & {
  /** The texts of its parts, joined with line breaks. */
  text: string;
};

/** How a phone behaves: its platform, its delay, its receipts and its fault. */
export type PhoneSettings = Partial<Omit<BodyOf<"POST /simulator/phones">, "handle">>;

/** A message from a phone: a text, or its parts with an effect or the message that it replies to. */
export type Writing = string | Omit<BodyOf<"POST /simulator/phones/{handle}/messages">, "to">;

/** The result of a message from a phone. Both IDs are `null` when the phone is blocked. */
export type Written = ResponseOf<"POST /simulator/phones/{handle}/messages">;

/** A reaction from a phone: a tapback such as `love`, or an emoji. */
export type PhoneReaction = Omit<BodyOf<"POST /simulator/phones/{handle}/reactions">, "message_id">;

/** The test cards of the sandbox checkout. */
export type TestCard = "succeeds" | "declined" | "second_step" | "settles_late";

/** The response of a checkout to a card. */
export type CheckoutResult = "accepted" | "declined" | "needs_second_step";

interface PhoneSetup {
  api: ApiClient;
  handle: string;
  /** The line that the phone writes to by default. */
  line: string;
  settings: PhoneSettings;
  timeoutMs: number;
}

/** The state of the object of a phone at one moment. */
export interface PhoneMemory {
  readonly lastRead: string | undefined;
  readonly created: Promise<unknown> | undefined;
  readonly latestChat: string | undefined;
  readonly inbox: InboxMemory<ReceivedMessage>;
}

const MAX_WAIT_SECONDS = 30;

/** A simulated phone. The first action creates it on the instance. */
export class SimulatedPhone {
  /** The phone number in E.164 format, or the email address. */
  readonly handle: string;

  private readonly api: ApiClient;
  private readonly inbox = new Inbox<ReceivedMessage>(({ text }) => JSON.stringify(text));
  private readonly path: { handle: string };
  private lastRead: string | undefined;
  private created: Promise<unknown> | undefined;
  private latestChat: string | undefined;

  constructor(private readonly setup: PhoneSetup) {
    this.api = setup.api;
    this.handle = setup.handle;
    this.path = { handle: setup.handle };
  }

  /** Creates the phone if no action has yet. Other methods do this themselves. */
  async exists(): Promise<this> {
    this.created ??= this.api.call("POST /simulator/phones", {
      body: { delay_ms: 0, ...this.setup.settings, handle: this.handle },
    });
    await this.created;
    return this;
  }

  /** Changes how the phone behaves, for example `{ fault: "unreachable" }` or `{ read_after_ms: 0 }`. */
  async is(settings: PhoneSettings): Promise<this> {
    await this.exists();
    await this.api.call("POST /simulator/phones", { body: { ...settings, handle: this.handle } });
    return this;
  }

  /**
   * Sends a message to a line or, with a chat ID, to a chat: by default to the account's first line. Resolves once
   * Trunkline has received it.
   */
  async says(writing: Writing, { to = this.setup.line }: { to?: string } = {}): Promise<Written> {
    await this.exists();
    const content = typeof writing === "string" ? { text: writing } : writing;
    const written = await this.api.call("POST /simulator/phones/{handle}/messages", {
      path: this.path,
      body: { ...content, to },
    });
    this.latestChat = written.chat_id ?? this.latestChat;
    return written;
  }

  /**
   * Resolves with the next message to this phone that contains the text or matches the pattern. Each message resolves
   * one wait. Throws WaitTimeoutError.
   */
  async receives(match?: TextMatch, { timeoutMs = this.setup.timeoutMs } = {}): Promise<ReceivedMessage> {
    await this.exists();
    const deadline = Date.now() + timeoutMs;
    const matches = ({ text }: ReceivedMessage) => matchesText(match, text);
    for (;;) {
      const found = this.inbox.take(matches);
      if (found !== undefined) return found;
      const leftMs = deadline - Date.now();
      if (leftMs <= 0) break;
      await this.readMore(Math.min(leftMs / 1000, MAX_WAIT_SECONDS));
    }
    throw this.inbox.timeoutError(`message to ${this.handle}${describeMatch(match)}`, timeoutMs);
  }

  /** The messages that the phone has received so far, oldest first, without waiting. */
  async received(): Promise<readonly ReceivedMessage[]> {
    await this.exists();
    await this.readMore(0);
    return this.inbox.all;
  }

  /** Reads all messages of a chat: by default the chat of the phone's last message. */
  async reads(chatId?: string): Promise<void> {
    await this.inChat("POST /simulator/phones/{handle}/read", chatId);
  }

  /** Starts typing in a chat. */
  async startsTyping(chatId?: string): Promise<void> {
    await this.inChat("POST /simulator/phones/{handle}/typing", chatId);
  }

  /** Stops typing in a chat. */
  async stopsTyping(chatId?: string): Promise<void> {
    await this.inChat("DELETE /simulator/phones/{handle}/typing", chatId);
  }

  /** Leaves a group. */
  async leaves(chatId?: string): Promise<void> {
    await this.inChat("POST /simulator/phones/{handle}/leave", chatId);
  }

  /** Reacts to a message of either side: `reacts(id, "love")`. */
  async reacts(messageId: string, reaction: PhoneReaction["type"] | PhoneReaction): Promise<void> {
    const body = typeof reaction === "string" ? { type: reaction } : reaction;
    await this.exists();
    await this.api.call("POST /simulator/phones/{handle}/reactions", {
      path: this.path,
      body: { ...body, message_id: messageId },
    });
  }

  /** Edits a text that this phone sent. */
  async edits(messageId: string, text: string, { part = 0 } = {}): Promise<void> {
    await this.exists();
    await this.api.call("POST /simulator/phones/{handle}/edits", {
      path: this.path,
      body: { message_id: messageId, text, part_index: part },
    });
  }

  /** Unsends an iMessage message that this phone sent at most two minutes ago. No event follows. */
  async unsends(messageId: string): Promise<void> {
    await this.exists();
    await this.api.call("POST /simulator/phones/{handle}/unsends", {
      path: this.path,
      body: { message_id: messageId },
    });
  }

  /**
   * Votes for an option of a poll. `messageId` is the ID of the message that contains the poll, and `optionId` is the
   * `option_id` of one of its `poll.options`. `"remove"` as third argument takes the vote back.
   */
  async votes(messageId: string, optionId: string, operation: "add" | "remove" = "add"): Promise<void> {
    await this.exists();
    await this.api.call("POST /simulator/phones/{handle}/votes", {
      path: this.path,
      body: { message_id: messageId, option_id: optionId, operation },
    });
  }

  /** Starts sharing a location with a line or a chat. */
  async sharesLocation(position: { latitude: number; longitude: number }, to?: string): Promise<void> {
    await this.exists();
    await this.api.call("POST /simulator/phones/{handle}/location", {
      path: this.path,
      body: { to: to ?? this.setup.line, position },
    });
  }

  /** Moves a phone that shares its location. No event follows. */
  async movesLocation(position: { latitude: number; longitude: number }, to?: string): Promise<void> {
    await this.exists();
    await this.api.call("PATCH /simulator/phones/{handle}/location", {
      path: this.path,
      body: { to: to ?? this.setup.line, position },
    });
  }

  /** Stops sharing a location with a line or a chat. */
  async stopsSharingLocation(to?: string): Promise<void> {
    await this.exists();
    await this.api.call("DELETE /simulator/phones/{handle}/location", {
      path: this.path,
      body: { to: to ?? this.setup.line },
    });
  }

  /** Renames a group. */
  async renamesGroup(name: string, chatId?: string): Promise<void> {
    await this.exists();
    await this.api.call("PUT /simulator/phones/{handle}/group", {
      path: this.path,
      body: { chat_id: this.chatOf(chatId), name },
    });
  }

  /**
   * Opens a checkout link, the `checkout_url` of a payment request, and pays with a test card: `succeeds` (the default),
   * `declined`, `second_step` (the payer must then confirm at the bank) or `settles_late` (paid after 20 seconds). Resolves
   * with `accepted`, `declined` or `needs_second_step`. The outcome of an accepted payment is in `payment.succeeded`. Throws an Error when the link takes no payment (any more).
   */
  async pays(checkoutUrl: string, { card = "succeeds" }: { card?: TestCard } = {}): Promise<CheckoutResult> {
    const page = new URL(checkoutUrl);
    const form = new URLSearchParams({ session: page.searchParams.get("session") ?? "", card });
    const answer = await fetch(`${this.api.url}${page.pathname}/attempt`, {
      method: "POST",
      body: form,
      redirect: "manual",
    });
    const location = answer.headers.get("location");
    if (answer.status !== 303 || location === null) {
      throw new Error(`${page.pathname} took no payment: ${answer.status}`);
    }
    const next = new URL(location, this.api.url);
    if (next.pathname.endsWith("/step")) return "needs_second_step";
    return next.searchParams.has("declined") ? "declined" : "accepted";
  }

  /** The state of this object, which a snapshot of the simulator contains. */
  capture(): PhoneMemory {
    const { lastRead, created, latestChat } = this;
    return { lastRead, created, latestChat, inbox: this.inbox.capture() };
  }

  /** Returns to the state of a snapshot; without one, to a phone that no action has created yet. */
  rewind(memory?: PhoneMemory): void {
    this.lastRead = memory?.lastRead;
    this.created = memory?.created;
    this.latestChat = memory?.latestChat;
    this.inbox.rewind(memory?.inbox);
  }

  private async inChat(
    operation:
      | "POST /simulator/phones/{handle}/read"
      | "POST /simulator/phones/{handle}/typing"
      | "DELETE /simulator/phones/{handle}/typing"
      | "POST /simulator/phones/{handle}/leave",
    chatId: string | undefined,
  ): Promise<void> {
    await this.exists();
    await this.api.call(operation, { path: this.path, body: { chat_id: this.chatOf(chatId) } });
  }

  private chatOf(chatId: string | undefined): string {
    const chat = chatId ?? this.latestChat;
    if (chat === undefined)
      throw new Error(`${this.handle} has sent no message yet: pass the ID of the chat.`);
    return chat;
  }

  private async readMore(timeoutSeconds: number): Promise<void> {
    const { messages } = await this.api.call("GET /simulator/outbox", {
      query: {
        to: this.handle,
        ...(this.lastRead === undefined ? {} : { after: this.lastRead }),
        timeout: timeoutSeconds.toFixed(3),
      },
    });
    for (const message of messages) {
      this.lastRead = message.id;
      this.inbox.add({ ...message, text: textOf(message.parts) });
    }
  }
}

function textOf(parts: readonly Record<string, unknown>[]): string {
  return parts.flatMap(({ value }) => (typeof value === "string" ? [value] : [])).join("\n");
}
