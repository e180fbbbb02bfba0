import { z } from "zod";

const text = z.string().min(1);
const chat = { chat_id: z.int().optional(), chat_identifier: text.optional(), chat_guid: text.optional() };
const target = { ...chat, to: text.optional() };
const empty = z.strictObject({});

/** The parameters of each method (docs/rpc.md of openclaw/imsg, version 0.15). Unknown ones are refused. */
export const METHODS = {
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

export type Method = keyof typeof METHODS;

/** The methods that work without the bridge, with system protection on. */
export const WITHOUT_BRIDGE: readonly Method[] = [
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
/** The methods that work without the database of Messages. */
export const WITHOUT_DATABASE: readonly Method[] = ["initialize", "status", "send", "typing", "read"];
/** The methods that change nothing. */
export const READS: readonly Method[] = [
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

/** An error of the JSON-RPC protocol. */
export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The data of a failed change: whether the Mac may have made the change. */
export function failed(disposition: string): unknown {
  return {
    retry_safe: disposition === "not_started",
    disposition,
    transport: "bridge",
    operation: "send",
    detail: "",
  };
}
