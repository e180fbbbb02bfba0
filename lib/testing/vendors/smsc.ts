import type { AddressInfo, Socket } from "node:net";
import { createServer, PDU, type Pdu, type Server, type Session } from "smpp";

/** The behavior of a recipient, or of the SMS center toward messages to that recipient. */
export type SmscBehavior =
  | "answers"
  | "rejects"
  | "silent"
  | "line_down"
  | "lost_answer"
  | "lost_send"
  | "slow_answer"
  | "undeliverable";

export interface SmscOptions {
  port?: number;
  systemId?: string;
  password?: string;
  /** The notation of IDs in receipts, if it differs from responses: hexadecimal or decimal. */
  receiptIds?: "same" | "decimal" | "hex";
  /** Whether receipts have optional parameters besides their text. */
  receiptParameters?: boolean;
  /** The command of a bind that is refused. */
  refusedBind?: string;
  /** The numbers of the submits that are throttled, from 1 on. */
  throttles?: readonly number[];
  /** Receipts are sent newest first, in batches of this size. */
  reversedReceipts?: number;
  /** Milliseconds before each response to a submit. */
  answerMs?: number;
  /** Deliveries that may wait for an acknowledgement. */
  window?: number;
  key?: string;
  cert?: string;
}

/** A message as the recipient's phone would show it: its parts in the order of their numbers. */
export interface SmscMessage {
  from: string;
  to: string;
  text: string;
}

/** The directions of a bind. */
interface Role {
  sends: boolean;
  receives: boolean;
}

const ROLES: Readonly<Record<string, Role>> = {
  bind_transceiver: { sends: true, receives: true },
  bind_transmitter: { sends: true, receives: false },
  bind_receiver: { sends: false, receives: true },
};

interface Stored {
  id: number;
  to: string;
  from: string;
  fields: Pdu;
}

const ESME_RINVDSTADR = 0x0b;
const ESME_RBINDFAIL = 0x0d;
const ESME_RINVBNDSTS = 0x04;
const ESME_RTHROTTLED = 0x58;
const ESME_ROK = 0;
const RECEIPT = 0x04;
const UDH = 0x40;
const SLOW_MS = 1500;
const AGAIN_MS = 50;
const UNANSWERED_MS = 10_000;

/**
 * An SMS center on loopback, with the npm package `smpp`: it checks the bind, takes messages, gives receipts and
 * delivers messages from phones, each again until it was acknowledged with status 0.
 */
export async function startSmsc(options: SmscOptions = {}) {
  const { systemId = "trunkline", password = "secret", window = 10 } = options;
  const { throttles = [] } = options;
  const behaviors = new Map<string, SmscBehavior>();
  const stored: Stored[] = [];
  const senders = new Set<Session>();
  const receivers = new Set<Session>();
  const undelivered: Record<string, unknown>[] = [];
  const statuses: number[] = [];
  let receipts: Record<string, unknown>[] = [];
  let again: number | null = null;
  let binds = 0;
  let peak = 0;
  let inProgress = 0;
  let throttled = 0;
  let submits = 0;
  let delivering = 0;
  let answers = 0;
  let isClosed = false;
  const sockets = new Set<Socket>();

  const tls = options.key === undefined ? {} : { key: options.key, cert: options.cert ?? "" };
  const server: Server = createServer(tls, (session) => {
    session.socket.setMaxListeners(0);
    session.on("pdu", ({ command }: Pdu) => {
      if (command === "deliver_sm_resp" || command === "generic_nack") answers++;
    });
    session.on("error", () => session.destroy());
    session.on("close", () => {
      senders.delete(session);
      receivers.delete(session);
    });
    for (const [command, roles] of Object.entries(ROLES)) {
      session.on(command, (pdu: Pdu) => bind(session, pdu, roles));
    }
    session.on("enquire_link", (pdu: Pdu) => session.send(pdu.response()));
    session.on("unbind", (pdu: Pdu) => {
      session.send(pdu.response());
      session.close();
    });
    session.on("submit_sm", (pdu: Pdu) => void take(session, pdu));
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("error", () => undefined);

  function bind(session: Session, pdu: Pdu, { sends, receives }: Role): void {
    binds++;
    const status = statusOfBind(pdu);
    session.send(pdu.response({ command_status: status, system_id: "smsc" }));
    if (status !== ESME_ROK) return;
    if (sends) senders.add(session);
    if (receives) receivers.add(session);
    deliverAll();
  }

  function statusOfBind(pdu: Pdu): number {
    const isKnown = pdu.system_id === systemId && pdu.password === password;
    if (!isKnown) return ESME_RBINDFAIL;
    return options.refusedBind === pdu.command ? ESME_RINVBNDSTS : ESME_ROK;
  }

  async function take(session: Session, pdu: Pdu): Promise<void> {
    if (!senders.has(session)) return void session.send(pdu.response({ command_status: ESME_RINVBNDSTS }));
    if (throttles.includes(++submits)) {
      throttled++;
      return void session.send(pdu.response({ command_status: ESME_RTHROTTLED }));
    }
    peak = Math.max(peak, ++inProgress);
    try {
      await answer(session, pdu);
    } finally {
      inProgress--;
    }
  }

  async function answer(session: Session, pdu: Pdu): Promise<void> {
    const to = `+${pdu.destination_addr ?? ""}`;
    const behavior = behaviors.get(to) ?? "answers";
    if (behavior === "rejects") return void session.send(pdu.response({ command_status: ESME_RINVDSTADR }));
    if (behavior === "line_down") return void session.send(pdu.response({ command_status: ESME_RINVBNDSTS }));
    if (behavior === "lost_send") return session.destroy();
    const message = { id: again ?? 1000 + stored.length * 7, to, from: pdu.source_addr ?? "", fields: pdu };
    again = null;
    stored.push(message);
    if (behavior === "lost_answer") return session.destroy();
    const waitMs = behavior === "slow_answer" ? SLOW_MS : (options.answerMs ?? 0);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const message_id = options.receiptIds === "decimal" ? message.id.toString(16) : String(message.id);
    session.send(pdu.response({ message_id }));
    if (wantsReceipt(pdu, behavior)) addReceipt(message, behavior);
  }

  function wantsReceipt({ registered_delivery = 0 }: Pdu, behavior: SmscBehavior): boolean {
    if (behavior === "silent") return false;
    const asked = registered_delivery & 0x03;
    return asked === 1 || (asked === 2 && behavior === "undeliverable");
  }

  function shownId(id: number): string {
    return options.receiptIds === "hex" ? id.toString(16).toUpperCase() : String(id);
  }

  function addReceipt({ id, to, from }: Stored, behavior: SmscBehavior = "answers"): void {
    const shown = shownId(id);
    const isDelivered = behavior !== "undeliverable";
    const [stat, err, message_state] = isDelivered ? ["DELIVRD", "000", 2] : ["UNDELIV", "011", 5];
    const text = `id:${shown} sub:001 dlvrd:001 submit date:2611230100 done date:2611230101 stat:${stat} err:${err} text:`;
    receipts.push({
      source_addr: to.slice(1),
      source_addr_ton: 1,
      destination_addr: from,
      esm_class: RECEIPT,
      short_message: Buffer.from(text, "ascii"),
      ...(options.receiptParameters && { receipted_message_id: `${shown}`, message_state }),
    });
    if (receipts.length < (options.reversedReceipts ?? 1)) return;
    undelivered.push(...receipts.reverse());
    receipts = [];
    deliverAll();
  }

  function deliverAll(): void {
    const [session] = receivers;
    while (session !== undefined && undelivered.length > 0 && delivering < window && !isClosed) {
      const fields = undelivered.shift() ?? {};
      delivering++;
      void deliver(session, fields).then((status) => {
        delivering--;
        if (status === ESME_ROK) return deliverAll();
        undelivered.unshift(fields);
        setTimeout(deliverAll, AGAIN_MS);
      });
    }
  }

  function deliver(session: Session, fields: Record<string, unknown>): Promise<number | null> {
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => resolve(null), UNANSWERED_MS);
      const end = (status: number | null) => {
        clearTimeout(giveUp);
        resolve(status);
      };
      session.socket.once("close", () => end(null));
      const { command = "deliver_sm", ...rest } = fields;
      session.send(new PDU(String(command), rest), ({ command_status }) => {
        statuses.push(command_status);
        end(command_status);
      });
    });
  }

  const port = await listen(server, options.port ?? 0);
  return {
    port,
    behave: (handle: string, behavior: SmscBehavior) => void behaviors.set(handle, behavior),
    /** The messages that phones have, whole. Parts of a long message are joined by their reference. */
    messages: () => join(stored),
    /** The submits as they arrived. */
    submits: () => stored.map(({ fields }) => fields),
    /** The IDs of the messages to a recipient. */
    idsOf: (handle: string) => stored.flatMap(({ to, id }) => (to === handle ? id : [])),
    /** Gives the next message the ID of an earlier one. */
    repeatId(id: number) {
      again = id;
    },
    /** Reports the receipts of a recipient's messages again. */
    reportAgain(handle: string) {
      for (const message of stored) if (message.to === handle) addReceipt(message, behaviors.get(handle));
    },
    /** Delivers a message from a phone, or a receipt. */
    write(fields: Record<string, unknown>) {
      undelivered.push({ source_addr_ton: 1, source_addr_npi: 1, dest_addr_ton: 1, ...fields });
      deliverAll();
    },
    /** Sends bytes that are no PDU to every bind. */
    garble() {
      for (const session of receivers) session.socket.write(Buffer.alloc(32, 0xff));
    },
    /** Sends bytes as they are to every bind that receives. */
    writeRaw(bytes: Uint8Array) {
      for (const session of receivers) session.socket.write(bytes);
    },
    /** Ends every connection, or those of binds that receive. */
    cut(only?: "receivers") {
      const ended = only === undefined ? sockets : [...receivers].map(({ socket }) => socket);
      for (const socket of ended) socket.destroy();
    },
    /** The command statuses with which deliveries were acknowledged. */
    statuses,
    get binds() {
      return binds;
    },
    get bound() {
      return new Set([...senders, ...receivers]).size;
    },
    /** The most messages that were in progress at the same time. */
    get peak() {
      return peak;
    },
    get throttled() {
      return throttled;
    },
    /** How many deliveries were answered, with any status. */
    get answers() {
      return answers;
    },
    get undelivered() {
      return undelivered.length + delivering;
    },
    async close() {
      isClosed = true;
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function join(stored: readonly Stored[]): SmscMessage[] {
  const whole = new Map<string, { from: string; to: string; parts: Map<number, string>; total: number }>();
  for (const { from, to, id, fields } of stored) {
    const header = ((fields.esm_class ?? 0) & UDH) === 0 ? undefined : fields.short_message?.udh?.[0];
    const [reference, total = 1, number = 1] = header?.subarray(2) ?? [];
    const key = `${from} ${to} ${reference ?? `id ${id}`}`;
    const message = whole.get(key) ?? { from, to, parts: new Map<number, string>(), total };
    whole.set(key, message);
    const text = fields.short_message?.message;
    message.parts.set(number, String(text?.length ? text : (fields.message_payload?.message ?? "")));
  }
  return [...whole.values()].flatMap(({ from, to, parts, total }) =>
    parts.size === total
      ? {
          from,
          to,
          text: [...parts]
            .sort(([a], [b]) => a - b)
            .map(([, text]) => text)
            .join(""),
        }
      : [],
  );
}
