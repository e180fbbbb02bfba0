import { z } from "zod";

const text = z.string().min(1);
const flag = z.boolean();
const count = z.int().min(0);
const chat = { chat_id: z.int().min(1), chat_identifier: text, chat_guid: text };
const reply = { reply_to: text, replyTo: text, reply_to_guid: text, message_guid: text };
const part = { part_index: count, partIndex: count };
const aboutMessage = {
  message_id: text,
  messageId: text,
  message_guid: text,
  messageGuid: text,
  message: text,
};
const strings = z.array(text);
const formatting = z.array(z.record(z.string(), z.unknown()));
const service = z.enum(["imessage", "sms", "auto"]);
const transport = z.enum(["auto", "bridge", "applescript"]);

/** The most text parts of one message (openclaw/imsg, Sources/imsg/RPCServer+MultipartHandler.swift). */
const MAX_PARTS = 20;

/**
 * The parameters that each method accepts, with their aliases: openclaw/imsg 0.15.10, Sources/imsg/RPCServer+*.swift
 * (`supportedKeys`). Another one is refused with -32602, and so is a value of another type (docs/rpc.md, Transport).
 */
const ACCEPTED = {
  initialize: { protocol_version: z.literal(1) },
  status: {},
  "chats.list": { limit: z.int().min(1), unread_only: flag, unreadOnly: flag },
  "messages.history": {
    chat_id: chat.chat_id,
    limit: z.int().min(1),
    participants: strings,
    start: text,
    end: text,
    attachments: flag,
    convert_attachments: flag,
  },
  "messages.after": {
    since_rowid: count,
    chat_id: chat.chat_id,
    limit: z.int().min(1).max(500),
    attachments: flag,
    convert_attachments: flag,
    include_reactions: flag,
  },
  "watch.subscribe": {
    chat_id: chat.chat_id,
    since_rowid: z.int().min(-1),
    participants: strings,
    start: text,
    end: text,
    attachments: flag,
    convert_attachments: flag,
    include_reactions: flag,
    debounce_ms: count,
    debounceMs: count,
    buffer_limit: z.int().min(1).max(4096),
    bufferLimit: z.int().min(1).max(4096),
  },
  "bridge.events.subscribe": {
    buffer_limit: z.int().min(1).max(4096),
    bufferLimit: z.int().min(1).max(4096),
  },
  "message.send_status": { guid: text },
  send: {
    ...chat,
    ...reply,
    to: text,
    text,
    file: text,
    text_formatting: formatting,
    textFormatting: formatting,
    formatting,
    service,
    transport,
    region: text,
    allow_sms_fallback: flag,
    allowSMSFallback: flag,
  },
  "send.tracked": {
    ...chat,
    ...reply,
    to: text,
    text,
    service,
    transport,
    region: text,
    allow_sms_fallback: flag,
    attempt_id: z.uuid(),
  },
  "send.rich": {
    ...chat,
    ...reply,
    ...part,
    text,
    message: text,
    file: text,
    path: text,
    url: text,
    dd_scan: flag,
    effect_id: text,
    effectId: text,
    effect: text,
    subject: text,
    text_formatting: formatting,
  },
  "send.attachment": {
    ...chat,
    ...reply,
    ...part,
    file: text,
    path: text,
    audio: flag,
    is_audio: flag,
    as_voice: flag,
  },
  "send.multipart": {
    ...chat,
    parts: z
      .array(z.strictObject({ text, text_formatting: formatting.optional() }))
      .min(1)
      .max(MAX_PARTS),
    effect_id: text,
    effectId: text,
    effect: text,
    subject: text,
  },
  "send.sticker": { ...chat, file: text, attach_to: text, part_index: count },
  "poll.send": {
    ...chat,
    ...reply,
    question: text,
    options: strings.min(2),
    option: strings.min(2),
    creator_handle: text,
    creatorHandle: text,
    comment: text,
    suppress_comment: flag,
    suppressComment: flag,
  },
  "poll.vote": {
    ...chat,
    poll_guid: text,
    pollGuid: text,
    poll_message_guid: text,
    message_guid: text,
    message_id: text,
    option_id: text,
    optionId: text,
    optionIdentifier: text,
    option_index: z.int(),
    optionIndex: z.int(),
    option: text,
  },
  "chats.create": { addresses: strings.min(1), name: text, service: text, text },
  tapback: {
    ...chat,
    ...aboutMessage,
    ...part,
    kind: text,
    reaction: text,
    emoji: text,
    remove: flag,
  },
  "message.edit": { ...chat, ...aboutMessage, ...part, text, new_text: text },
  "message.unsend": { ...chat, ...aboutMessage, ...part },
  typing: { ...chat, to: text, typing: flag, service: text },
  read: { ...chat, to: text },
  "group.rename": { ...chat, name: z.string() },
  "group.setIcon": { ...chat, file: text },
  "group.addParticipant": { ...chat, address: text },
  "group.removeParticipant": { ...chat, address: text },
  "group.leave": chat,
  "contacts.shareContactCard": chat,
  "handles.check": { address: text, alias_type: z.enum(["phone", "email"]), service: text },
} as const satisfies Record<string, Record<string, z.ZodType>>;

export type Method = keyof typeof ACCEPTED | "poll.unvote";

const REQUIRED: Partial<Record<Method, readonly string[]>> = {
  "messages.history": ["chat_id"],
  "messages.after": ["since_rowid"],
  "message.send_status": ["guid"],
  "send.tracked": ["text", "attempt_id"],
  "send.multipart": ["parts"],
  "send.sticker": ["file"],
  "poll.send": ["question"],
  "chats.create": ["addresses"],
  "group.rename": ["name"],
  "group.addParticipant": ["address"],
  "group.removeParticipant": ["address"],
  "handles.check": ["address"],
};

/** The parameters that a method accepts. */
export function parametersOf(method: Method): readonly string[] {
  return Object.keys(ACCEPTED[method === "poll.unvote" ? "poll.vote" : method]);
}

export const METHODS: readonly Method[] = [
  ...(Object.keys(ACCEPTED) as (keyof typeof ACCEPTED)[]),
  "poll.unvote",
];

/** Checks the parameters of a request. Throws RpcFailure. */
export function parseParams(method: Method, input: unknown): Record<string, unknown> {
  const accepted: Record<string, z.ZodType> = ACCEPTED[method === "poll.unvote" ? "poll.vote" : method];
  const required = REQUIRED[method] ?? [];
  const shape = Object.entries(accepted).map(([name, type]): [string, z.ZodType] => [
    name,
    required.includes(name) ? type : type.optional(),
  ]);
  const parsed = z.strictObject(Object.fromEntries(shape)).safeParse(input);
  if (!parsed.success) throw invalidParams(parsed.error.issues[0]?.message ?? "invalid");
  return parsed.data;
}

/**
 * The methods that work without the bridge and with System Integrity Protection on (Sources/imsg/
 * RPCMethodDescriptors.swift).
 */
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

/** The methods that need the database of Messages (RPCMethodDescriptors.swift, `database`). */
export const WITH_DATABASE: readonly Method[] = [
  "chats.list",
  "messages.history",
  "messages.after",
  "watch.subscribe",
  "message.send_status",
  "send.tracked",
  "send.multipart",
  "send.sticker",
  "poll.vote",
  "poll.unvote",
];

/** The methods beside the lane of changes (RPCMethodDescriptors.swift, `lane`). */
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

/** An error of the JSON-RPC protocol (Sources/imsg/RPCServer+Support.swift, `RPCError`). */
export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export function invalidParams(detail: string): RpcFailure {
  return new RpcFailure(-32602, "Invalid params", detail);
}

/**
 * The failure of a change (RPCServer+Support.swift, `deliveryFailure`): one that was not started is an internal error
 * with data, and any other has an unknown outcome.
 */
export function deliveryFailure(
  disposition: "not_started" | "may_have_completed" | "still_in_flight",
): RpcFailure {
  const isUnknown = disposition !== "not_started";
  return new RpcFailure(
    isUnknown ? -32001 : -32603,
    isUnknown ? "Delivery outcome unknown" : "Delivery failed before dispatch",
    deliveryData(disposition),
  );
}

export function deliveryData(disposition: string): Record<string, unknown> {
  return {
    retry_safe: disposition === "not_started",
    disposition,
    transport: "bridge_v2",
    operation: "send-message",
    detail: "",
  };
}
