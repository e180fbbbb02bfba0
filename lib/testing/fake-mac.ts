import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { PeerBehavior } from "@/lib/adapters/transports/conformance";

const SLOW_MS = 400;
const MAX_OUTSTANDING = 128;

const text = z.string().min(1);
const chat = { chat_id: z.int().optional(), chat_identifier: text.optional(), chat_guid: text.optional() };
const target = { ...chat, to: text.optional() };
const empty = z.strictObject({});

/** The parameters of each method (docs/rpc.md of openclaw/imsg, version 0.15). Unknown ones are refused. */
const METHODS = {
  initialize: z.strictObject({ protocol_version: z.literal(1).optional() }),
  status: empty,
  "chats.list": z.strictObject({ limit: z.int().min(1).optional(), unread_only: z.boolean().optional() }),
  "messages.history": z.strictObject({ chat_id: z.int(), limit: z.int().min(1).optional() }),
  "messages.after": z.strictObject({
    since_rowid: z.int().min(0),
    limit: z.int().min(1).max(500).optional(),
    attachments: z.boolean().optional(),
    include_reactions: z.boolean().optional(),
  }),
  "watch.subscribe": z.strictObject({
    attachments: z.boolean().optional(),
    include_reactions: z.boolean().optional(),
  }),
  "bridge.events.subscribe": z.strictObject({ buffer_limit: z.int().optional() }),
  "message.send_status": z.strictObject({ guid: text }),
  send: z.strictObject({
    ...target,
    text: text.optional(),
    file: text.optional(),
    service: z.enum(["imessage", "sms", "auto"]).optional(),
    allow_sms_fallback: z.boolean().optional(),
  }),
  "send.tracked": z.strictObject({ ...target, text, attempt_id: z.uuid() }),
  "send.rich": z.strictObject({
    ...chat,
    text,
    effect_id: text.optional(),
    reply_to: text.optional(),
    part_index: z.int().min(0).optional(),
  }),
  "send.attachment": z.strictObject({ ...chat, file: text, audio: z.boolean().optional() }),
  "chats.create": z.strictObject({ addresses: z.array(text).min(1), text: text.optional() }),
  tapback: z.strictObject({
    ...chat,
    message_guid: text,
    kind: z.enum(["love", "like", "dislike", "laugh", "emphasize", "question"]).optional(),
    emoji: text.optional(),
    remove: z.boolean().optional(),
    part_index: z.int().min(0).optional(),
  }),
  "message.edit": z.strictObject({ ...chat, message_guid: text, text }),
  typing: z.strictObject({ ...target, typing: z.boolean().optional(), service: text.optional() }),
  read: z.strictObject(target),
  "group.rename": z.strictObject({ ...chat, name: z.string() }),
  "group.setIcon": z.strictObject({ ...chat, file: text.optional() }),
  "group.addParticipant": z.strictObject({ ...chat, address: text }),
  "group.removeParticipant": z.strictObject({ ...chat, address: text }),
  "group.leave": z.strictObject(chat),
  "contacts.shareContactCard": z.strictObject(chat),
  "handles.check": z.strictObject({ address: text }),
} as const;

type Method = keyof typeof METHODS;

/** The methods that work without the bridge, with system protection on. */
const WITHOUT_BRIDGE: readonly Method[] = [
  "initialize",
  "status",
  "chats.list",
  "messages.history",
  "messages.after",
  "watch.subscribe",
  "message.send_status",
  "send",
  "typing",
  "read",
];
const WITHOUT_DATABASE: readonly Method[] = ["initialize", "status", "send", "typing", "read"];
const READS: readonly Method[] = [
  "initialize",
  "status",
  "chats.list",
  "messages.history",
  "messages.after",
  "message.send_status",
  "handles.check",
  "watch.subscribe",
  "bridge.events.subscribe",
];

interface Row {
  id: number;
  guid: string;
  to: string;
  text: string;
  isFromMe: boolean;
  state: "sent" | "delivered" | "failed";
  isRead: boolean;
  createdAt: string;
  more: Record<string, unknown>;
}

/** A file or text that the Mac sent. */
interface MacMessage {
  guid: string;
  to: string;
  text: string;
  /** The bytes of a file. */
  file: Buffer | null;
  params: Record<string, unknown>;
}

class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/**
 * A Mac whose imsg is as strict as the real one, with the people it writes to. `command` is the program for
 * IMSG_COMMAND. Its process ends and starts again without the Mac losing anything.
 */
export async function startFakeMac() {
  const behaviors = new Map<string, PeerBehavior>();
  const rows: Row[] = [];
  const sent: MacMessage[] = [];
  const calls: { method: string; params: Record<string, unknown> }[] = [];
  const groups = new Map<string, string[]>();
  const connections = new Set<Connection>();
  const knobs = { bridge: true, database: true, cutLines: false, down: false };
  let processes = 0;

  const server = createServer((socket) => {
    if (knobs.down) {
      socket.destroy();
      return;
    }
    processes++;
    connections.add(new Connection(socket));
  });

  class Connection {
    readonly #socket: Socket;
    #rest = "";
    #lane: Promise<void> = Promise.resolve();
    #outstanding = 0;
    #isWatching = false;
    #hasEvents = false;
    #isPoisoned = false;
    #subscriptions = 0;

    constructor(socket: Socket) {
      this.#socket = socket;
      socket.setEncoding("utf8").on("data", (chunk: string) => {
        this.#rest += chunk;
        const lines = this.#rest.split("\n");
        this.#rest = lines.pop() ?? "";
        for (const line of lines) this.#receive(line);
      });
      socket.on("close", () => connections.delete(this));
      socket.on("error", () => socket.destroy());
    }

    #receive(line: string): void {
      const request = JSON.parse(line);
      const { id, method, params = {} } = request;
      if (++this.#outstanding > MAX_OUTSTANDING) {
        this.#outstanding--;
        this.#write({ id, error: { code: -32000, message: "Server busy" } });
        return;
      }
      const run = async () => {
        try {
          this.#write({ id, result: await this.#handle(method, params) });
        } catch (error) {
          const failure = error instanceof RpcFailure ? error : new RpcFailure(-32603, String(error));
          const { code, message, data } = failure;
          this.#write({ id, error: { code, message, ...(data !== undefined && { data }) } });
        } finally {
          this.#outstanding--;
        }
      };
      // Changes run one after the other. Reads overtake them.
      if (READS.includes(method)) void run();
      else this.#lane = this.#lane.then(run);
    }

    async #handle(method: Method, input: unknown): Promise<unknown> {
      const schema = METHODS[method];
      if (schema === undefined) throw new RpcFailure(-32601, `unknown method ${method}`);
      const parsed = schema.safeParse(input);
      if (!parsed.success) throw new RpcFailure(-32602, parsed.error.issues[0]?.message ?? "invalid params");
      const params = parsed.data as Record<string, unknown>;
      if (!knobs.database && !WITHOUT_DATABASE.includes(method)) {
        throw new RpcFailure(-32002, "the Messages database is unavailable");
      }
      if (!knobs.bridge && !WITHOUT_BRIDGE.includes(method)) {
        throw new RpcFailure(-32003, "the bridge is not running");
      }
      if (this.#isPoisoned && !READS.includes(method)) {
        throw new RpcFailure(-32004, "an earlier operation is in flight", failed("not_started"));
      }
      calls.push({ method, params });
      if (method === "watch.subscribe") this.#isWatching = true;
      if (method === "bridge.events.subscribe") this.#hasEvents = true;
      if (method.endsWith("subscribe")) return { subscription: ++this.#subscriptions, buffer_limit: 256 };
      return handle(method, params, () => {
        this.#isPoisoned = true;
      });
    }

    #write(message: Record<string, unknown>): void {
      const line = `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
      if (!knobs.cutLines) return void this.#socket.write(line);
      const middle = Math.floor(line.length / 2);
      this.#socket.write(line.slice(0, middle));
      setTimeout(() => this.#socket.write(line.slice(middle)), 5);
    }

    message(row: Row): void {
      if (!this.#isWatching) return;
      this.#write({
        method: "message",
        params: { subscription: 1, message: { ...toMessage(row), cursor: row.id } },
      });
    }

    overflow(): void {
      this.#isWatching = false;
      const params = {
        subscription: 1,
        resume_after_rowid: 0,
        reason: "buffer_limit_exceeded",
        terminal: true,
      };
      this.#write({ method: "watch.overflow", params });
    }

    typing(chatGuid: string, event: string): void {
      if (!this.#hasEvents) return;
      const params = { subscription: 2, event: { event, ts: new Date().toISOString(), data: { chatGuid } } };
      this.#write({ method: "bridge.event", params });
    }

    destroy(): void {
      this.#socket.destroy();
    }
  }

  async function handle(
    method: Method,
    params: Record<string, unknown>,
    poison: () => void,
  ): Promise<unknown> {
    switch (method) {
      case "initialize":
      case "status":
        return status();
      case "chats.list":
        return { chats: rows.length === 0 ? [] : [{ id: 1 }] };
      case "messages.history":
        return { messages: rows.slice(-1).map(toMessage) };
      case "messages.after":
        return readAfter(params);
      case "message.send_status":
        return sendStatus(params);
      case "handles.check":
        return { ok: true, available: behaviors.get(String(params.address)) !== "rejects" };
      case "chats.create":
        return createChat(params);
      case "send":
      case "send.tracked":
      case "send.rich":
      case "send.attachment":
        return send(method, params, poison);
      case "tapback":
        if ((params.kind === undefined) === (params.emoji === undefined)) {
          throw new RpcFailure(-32602, "pass a kind or an emoji");
        }
        return { ok: true };
      default:
        return { ok: true };
    }
  }

  function status(): unknown {
    const all = Object.keys(METHODS) as Method[];
    const usable = all.filter(
      (method) =>
        (knobs.bridge || WITHOUT_BRIDGE.includes(method)) &&
        (knobs.database || WITHOUT_DATABASE.includes(method)),
    );
    return {
      version: "0.15.10",
      protocol_version: 1,
      database: { ready: knobs.database },
      bridge: { ready: knobs.bridge },
      methods: usable,
      supported_methods: all,
      capabilities: { features: { "tapback.emoji": 2 } },
    };
  }

  function readAfter({ since_rowid, limit = 100 }: Record<string, unknown>): unknown {
    const after = rows.filter(({ id }) => id > Number(since_rowid));
    const page = after.slice(0, Math.min(Number(limit), 3));
    return {
      messages: page.map(toMessage),
      next_rowid: page.at(-1)?.id ?? Number(since_rowid),
      has_more: after.length > page.length,
    };
  }

  function sendStatus({ guid }: Record<string, unknown>): unknown {
    const row = rows.find((each) => each.guid === guid && each.isFromMe);
    if (row === undefined) return { ok: true, guid, send_state: "pending", status_fields: null };
    const date_read = row.isRead ? new Date().toISOString() : null;
    return {
      ok: true,
      guid,
      send_state: row.state,
      service: "iMessage",
      status_fields: { error: 0, date_read },
    };
  }

  function createChat({ addresses }: Record<string, unknown>): unknown {
    const chat_guid = `iMessage;+;chat${groups.size + 1}`;
    groups.set(chat_guid, addresses as string[]);
    return { ok: true, chat_guid };
  }

  async function send(method: Method, params: Record<string, unknown>, poison: () => void): Promise<unknown> {
    const selectors = [params.to, params.chat_id, params.chat_identifier, params.chat_guid];
    if (selectors.filter((each) => each !== undefined).length !== 1) {
      throw new RpcFailure(-32602, "pass exactly one target");
    }
    const to = String(params.to ?? params.chat_identifier ?? params.chat_guid);
    if (params.chat_guid !== undefined && !groups.has(to)) {
      throw new RpcFailure(-32001, "the chat does not exist", failed("not_started"));
    }
    const guid = String(params.attempt_id ?? randomUUID()).toUpperCase();
    const own = params.attempt_id === undefined ? guid : String(params.attempt_id);
    if (rows.some((row) => row.guid === own)) throw new RpcFailure(-32602, "the attempt_id is used already");
    const behavior = behaviors.get(to) ?? "answers";
    if (behavior === "rejects") throw new RpcFailure(-32602, "the recipient has no iMessage");
    if (behavior === "line_down") throw new RpcFailure(-32002, "the Messages database is unavailable");
    if (behavior === "lost_send")
      throw new RpcFailure(-32001, "the outcome is unknown", failed("may_have_completed"));
    if (behavior === "slow_answer") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    const file = params.file === undefined ? null : readFileSync(String(params.file));
    sent.push({ guid: own, to, text: String(params.text ?? ""), file, params: { method, ...params } });
    add({ guid: own, to, text: String(params.text ?? ""), isFromMe: true, more: {} });
    if (behavior === "lost_answer") {
      poison();
      throw new RpcFailure(-32001, "the outcome is unknown", failed("still_in_flight"));
    }
    return method === "send" && params.service === "sms"
      ? { ok: true }
      : { ok: true, guid: own, message_id: own };
  }

  function add({ more, ...row }: Pick<Row, "guid" | "to" | "text" | "isFromMe" | "more">): Row {
    const added: Row = {
      ...row,
      id: rows.length + 1,
      state: "delivered",
      isRead: false,
      createdAt: new Date().toISOString(),
      more,
    };
    rows.push(added);
    for (const connection of connections) connection.message(added);
    return added;
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const directory = mkdtempSync(path.join(tmpdir(), "fake-mac-"));
  const command = path.join(directory, "imsg");
  const script = fileURLToPath(new URL("./fake-imsg.mjs", import.meta.url));
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${script}" ${port} "$@"\n`);
  chmodSync(command, 0o755);
  return {
    command,
    directory,
    knobs,
    sent,
    calls,
    get processes() {
      return processes;
    },
    behave: (handle: string, behavior: PeerBehavior) => void behaviors.set(handle, behavior),
    /** A person writes to the Mac. Returns the GUID. */
    write(from: string, value: string, more: Record<string, unknown> = {}): string {
      return add({
        guid: randomUUID(),
        to: from,
        text: value,
        isFromMe: false,
        more: { sender: from, ...more },
      }).guid;
    },
    /** Reports a row live once more. */
    repeat(guid: string) {
      const row = rows.find((each) => each.guid === guid);
      for (const connection of connections) if (row !== undefined) connection.message(row);
    },
    readAll(handle: string) {
      for (const row of rows) if (row.to === handle && row.isFromMe) row.isRead = true;
    },
    fail(handle: string) {
      for (const row of rows) if (row.to === handle && row.isFromMe) row.state = "failed";
    },
    typing(chatGuid: string, event: string) {
      for (const connection of connections) connection.typing(chatGuid, event);
    },
    overflow() {
      for (const connection of connections) connection.overflow();
    },
    /** Ends the processes of imsg. */
    crash() {
      for (const connection of connections) connection.destroy();
    },
    close() {
      for (const connection of connections) connection.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function failed(disposition: string): unknown {
  return {
    retry_safe: disposition === "not_started",
    disposition,
    transport: "bridge",
    operation: "send",
    detail: "",
  };
}

function toMessage({ id, guid, to, text: value, isFromMe, createdAt, more }: Row): Record<string, unknown> {
  return {
    id,
    guid,
    chat_id: 1,
    chat_identifier: to,
    chat_guid: `iMessage;-;${to}`,
    chat_name: "",
    participants: [to],
    is_group: false,
    sender: "",
    is_from_me: isFromMe,
    text: value,
    created_at: createdAt,
    attachments: [],
    reactions: [],
    ...more,
  };
}
