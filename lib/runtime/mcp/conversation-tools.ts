import "server-only";
import { z } from "zod";
import { ListChatViews, listChatViews } from "@/lib/messaging/inbox/list-chat-views";
import { ListMessageViews, listMessageViews } from "@/lib/messaging/messages/list-message-views";
import type { MessageView } from "@/lib/messaging/messages/message-view";
import { FindSendBlockers, findSendBlockers } from "@/lib/messaging/sending/find-send-blockers";
import { documentedError } from "@/lib/platform/errors/error-guidance";
import { maxUnits } from "@/lib/platform/text/max-units";
import { mcpTool } from "@/lib/runtime/mcp/mcp-tool";

const MAX_TEXT = 500;

const findChats = mcpTool({
  name: "find_chats",
  title: "Find chats",
  description:
    "Finds chats by a part of a phone number, an email address or a group's name; without a search, the most recently active ones. Returns the ID, participants, service, health and last message of each. Start here to get a chat_id.",
  operation: ListChatViews,
  method: "GET",
  input: z.object({
    search: z.string().trim().max(100).optional().describe("Part of a handle or of a group's name."),
    limit: z.int().min(1).max(50).default(10).describe("Number of chats."),
    cursor: z.string().max(500).optional().describe("The next_cursor of the previous result."),
  }),
  async run(ctx, { search, limit, cursor }) {
    const query = ListChatViews.query.parse({ search, cursor, limit: String(limit) });
    const { conversations, next_cursor } = await listChatViews(ctx, { query });
    return {
      chats: conversations.map(({ chat, last_message, unread }) => ({
        chat_id: chat.id,
        name: chat.display_name,
        is_group: chat.is_group,
        service: chat.service,
        line: chat.handles.find(({ is_me }) => is_me)?.handle ?? null,
        participants: chat.handles.filter(({ is_me }) => !is_me).map(({ handle }) => handle),
        health: chat.health_status.status,
        unread,
        last_message,
      })),
      next_cursor,
    };
  },
});

const readTimeline = mcpTool({
  name: "read_timeline",
  title: "Read the timeline of a chat",
  description:
    "Returns the messages of a chat, newest first: direction, text, delivery status, times and trace ID, and for a failed message the error code, the reason and the recommended action.",
  operation: ListMessageViews,
  method: "GET",
  input: z.object({
    chat_id: z.uuid().describe("ID of the chat."),
    limit: z.int().min(1).max(50).default(20).describe("Number of messages."),
    cursor: z.string().max(500).optional().describe("The next_cursor of the previous result."),
  }),
  async run(ctx, { chat_id, limit, cursor }) {
    const query = ListMessageViews.query.parse({ cursor, limit: String(limit) });
    const { messages, next_cursor } = await listMessageViews(ctx, { params: { chatId: chat_id }, query });
    return { messages: messages.map(toToolMessage), next_cursor };
  },
});

const explainSendBlockers = mcpTool({
  name: "why_cant_i_message",
  title: "Explain why a chat or a person can't be messaged",
  description:
    "Lists everything that blocks or endangers a send to a chat or a handle: opt-out, block, flagged or unavailable line, sandbox rule, message limits, a chat that the line left, the last failure. Each blocker has its error code, since when it applies, and the action to take. An empty list means that a send is accepted.",
  operation: FindSendBlockers,
  method: "GET",
  input: z.object({
    chat_id: z.uuid().optional().describe("ID of the chat. Set either this or handle."),
    handle: z
      .string()
      .check(maxUnits(254))
      .optional()
      .describe("Phone number in E.164 format or email address."),
  }),
  async run(ctx, input) {
    const { places } = await findSendBlockers(ctx, { query: FindSendBlockers.query.parse(input) });
    return {
      chats: places.map(({ chat_id, line, sendBlockers }) => ({
        chat_id,
        line,
        can_send: !sendBlockers.some(({ refuses }) => refuses),
        blockers: sendBlockers.map((blocker) => ({
          ...blocker,
          meaning: documentedError(blocker.code)?.means ?? null,
          action: documentedError(blocker.code)?.fix ?? null,
        })),
      })),
    };
  },
});

/** Tools that read conversations. */
export const CONVERSATION_TOOLS = [findChats, readTimeline, explainSendBlockers];

function toToolMessage(message: MessageView) {
  const { id, created_at, is_from_me, from_handle, delivery_status, service, trace_id, failure } = message;
  return {
    message_id: id,
    created_at,
    direction: is_from_me ? "outbound" : "inbound",
    from: from_handle?.handle ?? null,
    kind: message.kind,
    parts: (message.parts ?? []).map(shortPart),
    service,
    delivery_status,
    sent_at: message.sent_at,
    delivered_at: message.delivered_at,
    read_at: message.read_at,
    failure,
    trace_id,
  };
}

// Long texts and the details of files would fill the context of a model.
function shortPart(part: NonNullable<MessageView["parts"]>[number]) {
  if (part.type !== "text") return { type: part.type };
  const text =
    part.value.length <= MAX_TEXT ? part.value : `${part.value.slice(0, MAX_TEXT).toWellFormed()}…`;
  return { type: part.type, text };
}
