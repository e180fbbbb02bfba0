import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { PeerBehavior } from "@/lib/adapters/transports/conformance";
import {
  failed,
  METHODS,
  type Method,
  RpcFailure,
  WITHOUT_BRIDGE,
  WITHOUT_DATABASE,
} from "@/lib/testing/fake-mac-methods";

const SLOW_MS = 1500;

/** A message in the database of Messages. */
export interface Row {
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

/** The parts of a Mac that a test turns on and off. */
export interface MacKnobs {
  bridge: boolean;
  database: boolean;
  cutLines: boolean;
  down: boolean;
  /** The first request of a process and checks of handles are answered once this has resolved. */
  answering: Promise<void>;
}

/** The messages and chats of a Mac, and how the people it writes to behave. Calls `onRow` for each new message. */
export function createMacStore(knobs: MacKnobs, onRow: (row: Row) => void) {
  const behaviors = new Map<string, PeerBehavior>();
  const rows: Row[] = [];
  const sent: MacMessage[] = [];
  const groups = new Map<string, string[]>();

  async function handle(
    method: Method,
    params: Record<string, unknown>,
    poison: () => void,
  ): Promise<unknown> {
    switch (method) {
      case "initialize":
        return knobs.answering.then(status);
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
        await knobs.answering;
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
    onRow(added);
    return added;
  }

  return { behaviors, rows, sent, handle, add };
}

/** A message as imsg reports it. */
export function toMessage({
  id,
  guid,
  to,
  text: value,
  isFromMe,
  createdAt,
  more,
}: Row): Record<string, unknown> {
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
