import { now } from "@/lib/platform/time/clock";

export type PhoneState = "Pending" | "Processed" | "Sent" | "Delivered" | "Failed" | "Cancelled";

/** What becomes of a message after the phone has taken it. */
export interface Fate {
  /** The states that Android's reports set, in order, for all parts together. Sent and Delivered by default. */
  reports?: readonly PhoneState[];
  /** The reason of a state Failed. */
  error?: string;
  /** The phone never begins to send it (issues 234 and 330). */
  isStuck?: boolean;
}

interface NewMessage {
  id: string;
  to: string;
  text: string;
  files: readonly { contentType: string; data: string; name?: string }[];
  isMms: boolean;
  /** Whether the phone's rules of numbers apply. */
  isValidated: boolean;
  expiresAt: number | null;
  simNumber: number | null;
  sims: readonly number[];
  fate: Fate;
}

export interface QueuedMessage extends NewMessage {
  createdAt: number;
  row: number;
  state: PhoneState;
  error: string | null;
  states: Partial<Record<PhoneState, string>>;
}

export type FakeQueue = ReturnType<typeof createQueue>;

/** Android refuses texts of nine parts and more (issue 270): 67 UTF-16 units each, or 153 GSM characters. */
const MAX_PARTS = 8;

/**
 * The queue of SMSGate: the order, the guard of the state Failed alone, and the first time of each state, which stays
 * when a later report overwrites the state (MessagesDao).
 */
export function createQueue() {
  const settings = { order: "LIFO" as "LIFO" | "FIFO" };
  const messages = new Map<string, QueuedMessage>();
  const sent: QueuedMessage[] = [];
  let isHeld = false;
  let running: NodeJS.Immediate | null = null;

  function set(message: QueuedMessage, state: PhoneState, error: string | null = null): void {
    message.states[state] ??= now().toISOString();
    if (message.state === "Failed") return;
    message.state = state;
    message.error = error;
  }

  function next(): QueuedMessage | undefined {
    const pending = [...messages.values()].filter(({ state, fate }) => state === "Pending" && !fate.isStuck);
    const inOrder = pending.sort((one, other) => one.createdAt - other.createdAt || one.row - other.row);
    return settings.order === "FIFO" ? inOrder[0] : inOrder.at(-1);
  }

  function work(): void {
    running = null;
    if (isHeld) return;
    for (let message = next(); message !== undefined; message = next()) send(message);
  }

  function send(message: QueuedMessage): void {
    const refusal = refusalOf(message);
    if (refusal !== null) {
      set(message, "Failed", refusal);
      return;
    }
    set(message, "Processed");
    if (!message.isMms && partsOf(message.text) > MAX_PARTS) {
      const reason = "RESULT_ERROR_LIMIT_EXCEEDED (Failed because we reached the sending queue limit)";
      set(message, "Failed", `Send result: ${reason}`);
      return;
    }
    const { isMms, fate } = message;
    const reports = fate.reports ?? (isMms ? ["Sent"] : ["Sent", "Delivered"]);
    if (!reports.includes("Failed")) sent.push(message);
    for (const state of reports) set(message, state, state === "Failed" ? (fate.error ?? "unknown") : null);
  }

  function start(): void {
    running ??= setImmediate(work);
  }

  return {
    settings,
    /** The messages that left the phone, in this order. */
    sent,
    /** The messages that the phone took, in this order. */
    all: () => [...messages.values()],
    find: (id: string) => messages.get(id),
    newestFirst: () =>
      [...messages.values()].sort((one, other) => other.createdAt - one.createdAt || other.row - one.row),
    add(message: NewMessage): QueuedMessage {
      const queued: QueuedMessage = {
        ...message,
        createdAt: now().getTime(),
        row: messages.size,
        state: "Pending",
        error: null,
        states: { Pending: now().toISOString() },
      };
      messages.set(message.id, queued);
      start();
      return queued;
    },
    show: ({ id, to, state, error, states }: QueuedMessage) => ({
      id,
      state,
      isHashed: false,
      isEncrypted: false,
      recipients: [{ phoneNumber: to, state, ...(error !== null && { error }) }],
      states,
    }),
    cancel(message: QueuedMessage): boolean {
      if (message.state === "Cancelled") return true;
      if (message.state !== "Pending") return false;
      set(message, "Cancelled");
      return true;
    },
    /** A report of Android that comes later. */
    report(id: string, state: PhoneState, error: string | null = null) {
      const message = messages.get(id);
      if (message !== undefined) set(message, state, error);
    },
    /** From now on, messages wait on the phone. */
    hold() {
      isHeld = true;
    },
    /** Sends what waits, and what comes, again. */
    release() {
      isHeld = false;
      work();
    },
    /** The phone forgets its messages, as a new installation does. */
    forget: () => messages.clear(),
    stop() {
      if (running !== null) clearImmediate(running);
    },
  };
}

/** Why SMSGate does not give a message to Android; null if it does. */
function refusalOf({ expiresAt, isValidated, to, simNumber, sims }: QueuedMessage): string | null {
  if (expiresAt !== null && expiresAt < now().getTime()) return "TTL expired";
  // The rules know no numbers for tests, and many real ones neither (issue 431).
  if (isValidated) return `Can't send message: Invalid phone number: ${to}`;
  if (simNumber === null || sims.includes(simNumber)) return null;
  return `Can't send message: SIM ${simNumber} not found`;
}

function partsOf(text: string): number {
  const isGsm = /^[\n\r\x20-\x5f\x61-\x7e]*$/.test(text);
  const most = isGsm ? 153 : 67;
  return Math.ceil(text.length / most);
}
