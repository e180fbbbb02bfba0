import "server-only";
import { z } from "zod";
import { ListEventViews, listEventViews } from "@/lib/events/search/list-event-views";
import { DeliveryState } from "@/lib/events/store/delivery-state";
import { ListRequests, listRequests } from "@/lib/request-log/search/list-requests";
import { mcpTool } from "@/lib/runtime/mcp/mcp-tool";

const Moment = z.iso.datetime({ offset: true });

const times = {
  from: Moment.optional().describe("Only entries from this time on, in ISO 8601."),
  to: Moment.optional().describe("Only entries before this time, in ISO 8601."),
  limit: z.int().min(1).max(100).default(20).describe("Number of entries."),
  cursor: z.string().max(200).optional().describe("The next_cursor of the previous result."),
};

const searchEventLog = mcpTool({
  name: "search_events",
  title: "Search events",
  description:
    "Searches the account's event log, newest first: what happened to a message, chat, payment or line, with the number of webhook deliveries of each event by status. Set q to a trace ID, any ID, an event number or a phone number.",
  operation: ListEventViews,
  method: "GET",
  input: z.object({
    q: z.string().trim().max(320).optional().describe("Trace ID, ID of any kind, event number or handle."),
    types: z.array(z.string().max(100)).max(30).default([]).describe("Event types, such as message.failed."),
    chat_id: z.uuid().optional().describe("Only events of this chat."),
    delivery_status: DeliveryState.optional().describe(
      "Only events with a webhook delivery in this status. A stopped delivery has permanently failed, and the later events of its chat wait until it is retried or skipped.",
    ),
    ...times,
  }),
  async run(ctx, { types, delivery_status, limit, ...conditions }) {
    const query = ListEventViews.query.parse({
      ...conditions,
      types: types.join(","),
      status: delivery_status,
      limit: String(limit),
    });
    return listEventViews(ctx, { query });
  },
});

const searchRequestLog = mcpTool({
  name: "search_requests",
  title: "Search API requests",
  description:
    "Searches the account's log of API requests, newest first: method, path, status, error code, latency, token and trace ID. Use it to see which calls failed and why. Requests appear about a second after their response.",
  operation: ListRequests,
  method: "GET",
  input: z.object({
    q: z.string().trim().max(100).optional().describe("Trace ID, or ID of a chat, a message or a request."),
    status: z.enum(["2xx", "4xx", "5xx"]).optional().describe("Only responses of this status class."),
    error_code: z.int().min(1000).max(9999).optional().describe("Only responses with this error code."),
    path: z.string().max(500).optional().describe("A path, or a template such as /v3/chats/{chatId}."),
    ...times,
  }),
  async run(ctx, { error_code, limit, ...conditions }) {
    const query = ListRequests.query.parse({
      ...conditions,
      error_code: error_code === undefined ? undefined : String(error_code),
      limit: String(limit),
    });
    return listRequests(ctx, { query });
  },
});

/** Tools that search the logs of the account. */
export const LOG_TOOLS = [searchEventLog, searchRequestLog];
