import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { PeerBehavior } from "@/lib/adapters/transports/conformance";
import {
  deliveryFailure,
  invalidParams,
  METHODS,
  type Method,
  parseParams,
  RpcFailure,
  WITH_DATABASE,
  WITHOUT_BRIDGE,
} from "@/lib/testing/vendors/fake-mac-methods";
import { type MacChat, type Row, type RowFields, toMessage } from "@/lib/testing/vendors/fake-mac-payloads";

const SLOW_MS = 1500;
const PAGE = 3;

/** A file or text that the Mac sent. */
interface MacMessage {
  guid: string;
  /** The person's handle, or the GUID of the group. */
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
  /** Since macOS 26, the GUID of a chat begins with `any` for every service (BlueBubblesApp/bluebubbles-server 777). */
  macOs: 15 | 26;
  /** The method whose next request fails with an internal error that has no data. */
  failing: Method | null;
  /** The first request of a process and checks of handles are answered once this has resolved. */
  answering: Promise<void>;
}

/** How a test describes the chat of a row. */
export interface ChatOf {
  service?: "iMessage" | "SMS" | "RCS";
  /** The members of a group, and its identifier. */
  group?: { identifier: string; participants: string[]; name?: string };
  /** Messages has not joined the row to its chat. */
  isUnknown?: boolean;
}

const OWN = "+12025550100";

/** The messages and chats of a Mac, and how the people it writes to behave. Calls `onRow` for each new message. */
export function createMacStore(knobs: MacKnobs, onRow: (row: Row) => void) {
  const calls: { method: string; params: Record<string, unknown> }[] = [];
  const behaviors = new Map<string, PeerBehavior>();
  const rows: Row[] = [];
  const sent: MacMessage[] = [];
  const chats: MacChat[] = [];
  let lastRowId = 0;

  async function handle(method: Method, input: unknown, poison: () => void): Promise<unknown> {
    const params = parseParams(method, input);
    if (!knobs.database && WITH_DATABASE.includes(method)) {
      throw new RpcFailure(-32002, "Database unavailable", { path: "chat.db", detail: "", retryable: true });
    }
    if (!knobs.bridge && !WITHOUT_BRIDGE.includes(method)) {
      throw new RpcFailure(-32003, "Bridge unavailable", { detail: "", retryable: true });
    }
    calls.push({ method, params });
    if (knobs.failing === method) {
      knobs.failing = null;
      throw new RpcFailure(-32603, "Internal error", "the operation couldn't be completed");
    }
    switch (method) {
      case "initialize":
        return knobs.answering.then(status);
      case "status":
        return status();
      case "chats.list":
        return { chats: newestChats().slice(0, Number(params.limit ?? 20)) };
      case "messages.history":
        return { messages: readHistory(params) };
      case "messages.after":
        return readAfter(params);
      case "message.send_status":
        return sendStatus(params);
      case "handles.check":
        await knobs.answering;
        return checkHandle(params);
      case "chats.create":
        return createChat(params);
      case "send":
      case "send.tracked":
      case "send.rich":
      case "send.attachment":
      case "send.multipart":
      case "send.sticker":
      case "poll.send":
        return send(method, params, poison);
      case "tapback":
        return react(params);
      default:
        return { ok: true };
    }
  }

  function status(): unknown {
    const usable = METHODS.filter(
      (method) =>
        (knobs.bridge || WITHOUT_BRIDGE.includes(method)) &&
        (knobs.database || !WITH_DATABASE.includes(method)),
    );
    return {
      version: "0.15.10",
      protocol_version: 1,
      database: { path: "chat.db", ready: knobs.database },
      bridge: knobs.bridge ? { ready: true } : { ready: false, error: "The bridge is not started." },
      contacts: { available: false },
      methods: usable,
      supported_methods: METHODS,
      capabilities: { engine: { version: "0.15.10" }, features: { "tapback.emoji": 2 } },
    };
  }

  // The newest first (Sources/IMsgCore/MessageStore+Chats.swift).
  function newestChats(): MacChat[] {
    return chats.toSorted((one, other) => other.last_message_at.localeCompare(one.last_message_at));
  }

  // By date and not by row (Sources/IMsgCore/MessageStore+Messages.swift, `messageNewestFirst`); without reactions.
  function readHistory({ chat_id, limit = 50 }: Record<string, unknown>): unknown {
    return rows
      .filter(({ chat, is_reaction }) => chat?.id === chat_id && is_reaction === undefined)
      .toSorted((one, other) => other.created_at.localeCompare(one.created_at) || other.id - one.id)
      .slice(0, Number(limit))
      .map(toMessage);
  }

  function readAfter({ since_rowid, limit = 100, include_reactions }: Record<string, unknown>): unknown {
    const after = rows.filter(
      ({ id, is_reaction }) =>
        id > Number(since_rowid) && (include_reactions === true || is_reaction === undefined),
    );
    const page = after.slice(0, Math.min(Number(limit), PAGE));
    return {
      messages: page.map(toMessage),
      next_rowid: page.at(-1)?.id ?? Number(since_rowid),
      has_more: after.length > page.length,
    };
  }

  // Sources/imsg/RPCServer+MessageStatusHandlers.swift: a GUID without a row is pending and has no service.
  function sendStatus({ guid }: Record<string, unknown>): unknown {
    const row = rows.find(
      (each) => each.guid.toLowerCase() === String(guid).toLowerCase() && each.is_from_me,
    );
    const checked = { ok: true, guid, checked_at: new Date().toISOString() };
    if (row === undefined) return { ...checked, send_state: "pending", service: null, status_fields: null };
    const status_fields = {
      is_sent: row.state !== "failed",
      is_delivered: row.state === "delivered",
      is_finished: true,
      error: row.state === "failed" ? 22 : 0,
      date_delivered: row.state === "delivered" ? row.created_at : null,
      date_read: row.isRead ? new Date().toISOString() : null,
      is_delayed: false,
      is_prepared: false,
      is_pending_satellite_send: false,
      was_downgraded: false,
    };
    return { ...checked, send_state: row.state, service: row.chat?.service ?? null, status_fields };
  }

  function checkHandle({ address }: Record<string, unknown>): unknown {
    const available = behaviors.get(String(address)) !== "rejects";
    return {
      ok: true,
      address,
      alias_type: String(address).includes("@") ? "email" : "phone",
      destination: `tel:${address}`,
      id_status: available ? 1 : 2,
      available,
      service: "iMessage",
    };
  }

  // docs/rpc.md, chats.create: iMessage only, and every address must be reachable.
  function createChat({ addresses }: Record<string, unknown>): unknown {
    const people = addresses as string[];
    if (people.some((person) => behaviors.get(person) === "rejects")) {
      throw new RpcFailure(-32603, "Internal error", "an address has no iMessage");
    }
    const [person = ""] = people;
    const group = { identifier: `chat${chats.length + 1}`, participants: people };
    const chat = people.length === 1 ? chatOf(person, {}) : chatOf("", { group });
    return { ok: true, chat_guid: chat.guid, service: "iMessage" };
  }

  function chatOf(person: string, { service = "iMessage", group }: ChatOf): MacChat {
    const identifier = group?.identifier ?? person;
    const prefix = knobs.macOs === 26 ? "any" : service;
    const guid = `${prefix};${group === undefined ? "-" : "+"};${identifier}`;
    const known = chats.find((chat) => chat.guid === guid);
    if (known !== undefined) {
      // One chat carries every service on macOS 26; its service is the one of the last message.
      known.service = service;
      return known;
    }
    const chat: MacChat = {
      id: chats.length + 1,
      name: group?.name ?? identifier,
      identifier,
      service,
      last_message_at: new Date(0).toISOString(),
      guid,
      display_name: group?.name ?? "",
      is_group: group !== undefined,
      participants: group?.participants ?? [person],
      account_id: "00000000-0000-0000-0000-000000000000",
      account_login: "E:line@example.com",
      last_addressed_handle: OWN,
      unread_count: 0,
    };
    chats.push(chat);
    return chat;
  }

  function findChat(params: Record<string, unknown>): MacChat | null {
    const { to, chat_id, chat_identifier, chat_guid } = params;
    const wanted = to ?? chat_identifier;
    return (
      chats.find(
        ({ id, identifier, guid }) =>
          id === chat_id || guid === chat_guid || identifier === wanted || guid === wanted,
      ) ?? null
    );
  }

  async function send(method: Method, params: Record<string, unknown>, poison: () => void): Promise<unknown> {
    const selectors = [params.to, params.chat_id, params.chat_identifier, params.chat_guid];
    if (selectors.filter((each) => each !== undefined).length !== 1)
      throw invalidParams("pass exactly one target");
    const known = findChat(params);
    checkContent(method, params, known);
    const to = known?.is_group === false ? known.identifier : String(known?.guid ?? params.to ?? "");
    const guid = String(params.attempt_id ?? randomUUID().toUpperCase());
    if (rows.some((row) => row.guid === guid)) throw deliveryFailure("not_started");
    const behavior = behaviors.get(to) ?? "answers";
    if (behavior === "rejects") throw invalidParams("the recipient has no iMessage");
    if (behavior === "line_down") throw new RpcFailure(-32002, "Database unavailable", { retryable: true });
    if (behavior === "lost_send") throw deliveryFailure("may_have_completed");
    if (behavior === "slow_answer") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    const path = params.file ?? params.path;
    const file = path === undefined ? null : readFileSync(String(path));
    const text = textOf(params);
    sent.push({ guid, to, text, file, params: { method, ...params } });
    const service = params.service === "sms" ? ("SMS" as const) : known?.service;
    const poll = method === "poll.send" ? pollOf(guid, params) : null;
    write(known ?? chatOf(to, { service: service === "SMS" ? "SMS" : "iMessage" }), text, {
      guid,
      is_from_me: true,
      destination_caller_id: OWN,
      ...(poll !== null && { poll, balloon_bundle_id: "com.apple.messages.Polls" }),
    });
    if (behavior === "lost_answer") {
      poison();
      throw deliveryFailure("still_in_flight");
    }
    const chat = known ?? findChat({ chat_identifier: to });
    const result = { ok: true, guid, message_id: guid, chat_guid: chat?.guid, service: chat?.service };
    return poll === null
      ? result
      : { ...result, event: poll.event, poll, comment: { requested: false, sent: false } };
  }

  /** The rules of each method (Sources/imsg/RPCServer+SendHandlers.swift and +BridgeMessageHandlers.swift). */
  function checkContent(method: Method, params: Record<string, unknown>, chat: MacChat | null): void {
    if (method === "send") {
      if (textOf(params) === "" && params.file === undefined) throw invalidParams("text or file is required");
      if (chat === null && params.to === undefined)
        throw new RpcFailure(-32603, "Internal error", "no such chat");
      return;
    }
    // The bridge writes to chats that exist only, and reserves no GUID without one.
    if (chat === null && method === "send.tracked") {
      throw invalidParams("bridge transport requires an existing chat target");
    }
    if (chat === null) throw deliveryFailure("not_started");
    const isLink = params.url !== undefined;
    if (isLink && ["text", "file", "effect_id", "reply_to", "part_index"].some((key) => key in params)) {
      throw invalidParams("text is not supported with url");
    }
    if ((isLink || method === "send.sticker") && chat.service !== "iMessage") {
      throw invalidParams("iMessage is required");
    }
    if ("part_index" in params && method === "send.attachment" && !("reply_to" in params)) {
      throw invalidParams("part_index requires reply_to");
    }
  }

  function react(params: Record<string, unknown>): unknown {
    if ((params.kind === undefined) === (params.emoji === undefined))
      throw invalidParams("pass a kind or an emoji");
    const kinds = ["love", "like", "dislike", "laugh", "emphasize", "emphasis", "question"];
    if (params.kind !== undefined && !kinds.includes(String(params.kind)))
      throw invalidParams("unsupported tapback");
    return { ok: true };
  }

  function write(chat: MacChat | null, text: string, fields: RowFields): Row {
    const created_at = fields.created_at ?? new Date().toISOString();
    const row: Row = {
      sender: "",
      is_from_me: false,
      ...fields,
      id: ++lastRowId,
      guid: fields.guid ?? randomUUID().toUpperCase(),
      chat,
      text,
      created_at,
      state: "delivered",
      isRead: false,
    };
    if (chat !== null && created_at > chat.last_message_at) chat.last_message_at = created_at;
    rows.push(row);
    onRow(row);
    return row;
  }

  return {
    behaviors,
    calls,
    rows,
    sent,
    handle,
    /** A row of a person, or a copy of one of our own. */
    add(person: string, text: string, about: ChatOf, fields: RowFields): Row {
      const chat = about.isUnknown === true ? null : chatOf(person, about);
      return write(chat, text, { sender: person, ...fields });
    },
    /** Another file takes the place of the database: its rows and chats begin again. */
    replace(): void {
      rows.length = 0;
      chats.length = 0;
      lastRowId = 0;
    },
  };
}

function textOf({ text, message, parts, url }: Record<string, unknown>): string {
  const texts = ((parts ?? []) as { text: string }[]).map((part) => part.text);
  return String(text ?? message ?? url ?? texts.join(""));
}

function pollOf(guid: string, { question, options }: Record<string, unknown>) {
  return {
    kind: "created" as const,
    event: "imessage.poll.created",
    poll_guid: guid,
    question: String(question),
    options: (options as string[]).map((text) => ({ id: randomUUID().toUpperCase(), text })),
  };
}
