import { randomUUID } from "node:crypto";
import { ApiClient } from "@/lib/testkit/api-client";
import type { BodyOf, EventOf, EventType, RequestOf, ResponseOf } from "@/lib/testkit/api-operations";
import { type ConsumerSettings, EventConsumer } from "@/lib/testkit/event-consumer";
import type { InboxMemory } from "@/lib/testkit/inbox";
import { type PhoneMemory, type PhoneSettings, SimulatedPhone } from "@/lib/testkit/simulated-phone";
import { SimulatorClock } from "@/lib/testkit/simulator-clock";
import { SimulatorFaults } from "@/lib/testkit/simulator-faults";
import { SimulatorLimits } from "@/lib/testkit/simulator-limits";
import { type Instance, type InstanceOptions, startInstance } from "@/lib/testkit/start-instance";
import {
  type ReceivedWebhook,
  type TurnSettings,
  type WebhookMatch,
  WebhookReceiver,
} from "@/lib/testkit/webhook-receiver";

/** Where the simulator runs and what the new account has. */
export interface SimulatorOptions {
  /** The base URL of a running instance. Defaults to `TRUNKLINE_URL`, then to `http://localhost:3000`. */
  url?: string;
  /** Any API token of a sandbox account of the instance. Defaults to `TRUNKLINE_TOKEN`. */
  token?: string;
  /** Starts an own instance, whose clock tests can move. `true` or its settings. Ends with `close`. */
  start?: boolean | InstanceOptions;
  /** The name of the new account. */
  name?: string;
  /** The number of lines. Defaults to 1. */
  lines?: number;
  /**
   * Determines the account's ID, its numbers and the IDs of its objects on a fresh instance whose clock is at the same
   * time. Never affects tokens, secrets or keys.
   */
  seed?: string;
  /**
   * Whether this process receives the account's webhooks. Requires an instance that can reach this machine. Defaults to
   * `true`.
   */
  webhooks?: boolean;
  /** Milliseconds that each wait lasts at most. Defaults to 5000. */
  timeoutMs?: number;
}

/** A message to send: to one phone or several, as a text or as parts. */
export interface Sending {
  to: SimulatedPhone | string | readonly (SimulatedPhone | string)[];
  text?: string;
  message?: BodyOf<"POST /v3/chats">["message"];
  /** The line that sends. Defaults to the first. */
  from?: string;
}

/** The chat with the message that was accepted in it. */
export type SentChat = ResponseOf<"POST /v3/chats">["chat"];

/** A snapshot of an account on the instance. */
export type Snapshot = ResponseOf<"POST /simulator/snapshots">;

/** The state of the objects of a simulator at the moment of a snapshot. */
interface Memory {
  phones: ReadonlyMap<string, PhoneMemory>;
  webhooks: InboxMemory<ReceivedWebhook> | undefined;
}

type NewAccount = ResponseOf<"POST /simulator/accounts">;

const TIMEOUT_MS = 5_000;
const DEFAULT_URL = "http://localhost:3000";

/** A sandbox account of its own with lines, phones, webhooks, a clock and faults. */
export class Simulator {
  /** The base URL of the instance. */
  readonly url: string;
  /** The API token of the account. */
  readonly token: string;
  /** The ID of the account. */
  readonly accountId: string;
  /** The numbers of the account's lines. */
  readonly lines: readonly string[];
  /** Calls the API with the account's token. */
  readonly api: ApiClient;
  /** The platform clock, which only an instance with `CLOCK_CONTROL` lets you move. */
  readonly clock: SimulatorClock;
  /** Errors, delays and losses that the simulator adds. */
  readonly faults: SimulatorFaults;
  /** The limits of the account. */
  readonly limits: SimulatorLimits;

  private readonly phones = new Map<string, SimulatedPhone>();
  private readonly consumers = new Map<string, EventConsumer>();
  private readonly memories = new Map<string, Memory>();
  private readonly unusedHandles: Iterator<string>;

  constructor(
    account: NewAccount,
    private readonly setup: {
      api: ApiClient;
      receiver: WebhookReceiver | null;
      instance: Instance | null;
      timeoutMs: number;
    },
  ) {
    this.api = setup.api;
    this.url = setup.api.url;
    this.token = account.token;
    this.accountId = account.account_id;
    this.lines = account.lines;
    this.clock = new SimulatorClock(setup.api);
    this.faults = new SimulatorFaults(setup.api);
    this.limits = new SimulatorLimits(setup.api);
    this.unusedHandles = numbersBetween(account.phones.from, account.phones.to);
  }

  /** The account's first line. Throws an Error if it has none. */
  get line(): string {
    const [line] = this.lines;
    if (line === undefined) throw new Error("The account has no line: create it with { lines: 1 }.");
    return line;
  }

  /** The webhook endpoint of this process. Throws an Error with `{ webhooks: false }`. */
  get webhooks(): WebhookReceiver {
    if (this.setup.receiver === null) throw new Error("Webhooks are off: remove { webhooks: false }.");
    return this.setup.receiver;
  }

  /** The phone of a number or email address; without one, a phone with the next unused fictional number. */
  phone(handle: string = this.nextHandle(), settings: PhoneSettings = {}): SimulatedPhone {
    const known = this.phones.get(handle);
    if (known !== undefined) return known;
    const { api, timeoutMs } = this.setup;
    const phone = new SimulatedPhone({ api, handle, line: this.lines[0] ?? "", settings, timeoutMs });
    this.phones.set(handle, phone);
    return phone;
  }

  /**
   * Sends a message in the chat with these phones and creates the chat if needed. In a sandbox, each phone must have
   * written to the line first. Throws ApiCallError.
   */
  async send({ to, text, message, from = this.line }: Sending): Promise<SentChat> {
    const handles = [to].flat().map((one) => (typeof one === "string" ? one : one.handle));
    const content = message ?? { parts: [{ type: "text", value: text ?? "" }] };
    const { chat } = await this.api.call("POST /v3/chats", { body: { from, to: handles, message: content } });
    return chat;
  }

  /**
   * Resolves with the next webhook of a type, whose signature was checked: `await sim.webhook("message.received")`.
   * Each webhook resolves one wait. Throws WaitTimeoutError.
   */
  webhook<Type extends EventType>(type: Type, match: WebhookMatch<Type> = {}): Promise<EventOf<Type>> {
    return this.webhooks.next(type, match);
  }

  /**
   * Collects what people write from now on in turns, for `turn`. Settings are those of a webhook subscription. Throws
   * ApiCallError.
   */
  collectTurns(settings: TurnSettings = {}): Promise<void> {
    return this.webhooks.collectTurns(this.api, settings);
  }

  /**
   * Resolves with the next turn: what one person wrote until a pause. Requires `collectTurns`. Each turn resolves one
   * wait. Throws WaitTimeoutError.
   */
  turn(match: WebhookMatch<"chat.turn"> = {}): Promise<EventOf<"chat.turn">> {
    return this.webhooks.next("chat.turn", match);
  }

  /**
   * The consumer of this name, which is created if needed: `(await sim.consumer("billing")).next("message.received")`. It
   * polls and acknowledges while a test waits. Without `types`, it gets all events that need not be named. Throws
   * ApiCallError.
   */
  async consumer(name: string, settings: ConsumerSettings = {}): Promise<EventConsumer> {
    const { api, timeoutMs } = this.setup;
    await api.call("PUT /v3/consumers/{name}", { path: { name }, body: settings });
    const consumer = this.consumers.get(name) ?? new EventConsumer(api, name, timeoutMs);
    this.consumers.set(name, consumer);
    return consumer;
  }

  /**
   * Triggers an event with example data, and with the given values and IDs: signed and delivered like any other. No
   * other object is created. Throws ApiCallError.
   */
  trigger(
    type: EventType,
    values: BodyOf<"POST /simulator/trigger/{eventType}"> = {},
  ): Promise<ResponseOf<"POST /simulator/trigger/{eventType}">> {
    return this.api.call("POST /simulator/trigger/{eventType}", {
      path: { eventType: type },
      body: values,
    } as RequestOf<"POST /simulator/trigger/{eventType}">);
  }

  /**
   * Stores the state of the account: chats, messages, events, phones, faults and payments. The clock and subscriptions
   * are not part of it. Names are unique; without one, the snapshot gets a name of its own. Throws ApiCallError.
   */
  async snapshot(name: string = `snapshot ${randomUUID()}`): Promise<Snapshot> {
    const snapshot = await this.api.call("POST /simulator/snapshots", { body: { name } });
    const phones = new Map([...this.phones].map(([handle, phone]) => [handle, phone.capture()]));
    this.memories.set(snapshot.id, { phones, webhooks: this.setup.receiver?.capture() });
    return snapshot;
  }

  /**
   * Returns the account to a snapshot, as often as needed. Phones of this simulator wait again for messages that they
   * received after it, and later webhooks are forgotten. Throws ApiCallError.
   */
  async restore({ id }: Pick<Snapshot, "id">): Promise<void> {
    await this.api.call("POST /simulator/snapshots/{snapshot}/restore", { path: { snapshot: id } });
    const memory = this.memories.get(id);
    for (const [handle, phone] of this.phones) phone.rewind(memory?.phones.get(handle));
    for (const consumer of this.consumers.values()) consumer.rewind();
    this.setup.receiver?.rewind(memory?.webhooks);
  }

  /**
   * Deletes the state of the account. Its token, lines, subscriptions, settings and snapshots stay. Throws ApiCallError.
   */
  async reset(): Promise<void> {
    await this.api.call("POST /simulator/reset");
    for (const phone of this.phones.values()) phone.rewind();
    for (const consumer of this.consumers.values()) consumer.rewind();
    this.setup.receiver?.rewind();
  }

  /** Stops receiving webhooks, and stops the instance if this simulator started it. */
  async close(): Promise<void> {
    await this.setup.receiver?.close();
    await this.setup.instance?.stop();
  }

  /** `await using sim = await createSimulator()` closes the simulator at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private nextHandle(): string {
    const { value, done } = this.unusedHandles.next();
    if (done) throw new Error("All fictional numbers of the account are used: pass a number to phone().");
    return value;
  }
}

/**
 * Creates a sandbox account of its own on a running instance: with a token, lines and unused fictional numbers. With
 * `start`, starts an instance first. Throws ApiCallError when the instance rejects the token or has no simulator, and an
 * Error that says what to do when no token is known.
 */
export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { start = false, name, lines, seed, webhooks = true, timeoutMs = TIMEOUT_MS } = options;
  const instance = start === false ? null : await startInstance(start === true ? {} : start);
  try {
    const owner = new ApiClient(instance?.url ?? urlOf(options), instance?.token ?? tokenOf(options));
    const account = await owner.call("POST /simulator/accounts", {
      body: withoutUndefined({ name, lines, seed }),
    });
    const api = new ApiClient(owner.url, account.token);
    const receiver = webhooks ? await WebhookReceiver.open(api, timeoutMs) : null;
    return new Simulator(account, { api, receiver, instance, timeoutMs });
  } catch (error) {
    await instance?.stop();
    throw error;
  }
}

function urlOf({ url }: SimulatorOptions): string {
  return (url ?? process.env.TRUNKLINE_URL ?? DEFAULT_URL).replace(/\/+$/, "");
}

function tokenOf({ token }: SimulatorOptions): string {
  const known = token ?? process.env.TRUNKLINE_TOKEN;
  if (known !== undefined && known !== "") return known;
  throw new Error(
    "createSimulator needs a token: set TRUNKLINE_TOKEN, pass { token }, or pass { start: true } to start an instance.",
  );
}

function withoutUndefined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never;
}

function* numbersBetween(from: string, to: string): Generator<string, undefined> {
  for (let number = BigInt(from.slice(1)); number <= BigInt(to.slice(1)); number++) yield `+${number}`;
}
