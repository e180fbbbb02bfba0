import "server-only";
import { z } from "zod";
import { fail } from "@/lib/platform/errors/errors";
import { mcpTool } from "@/lib/runtime/mcp/mcp-tool";
import { ackConsumer } from "@/lib/webhooks/consumers/ack-consumer";
import { ConsumerEventId, ConsumerParams } from "@/lib/webhooks/consumers/consumer";
import { ListConsumerViews, listConsumerViews } from "@/lib/webhooks/consumers/list-consumer-views";
import { PollConsumer, pollConsumer } from "@/lib/webhooks/consumers/poll-consumer";
import { SeekConsumer, seekConsumer } from "@/lib/webhooks/consumers/seek-consumer";

const { name } = ConsumerParams.shape;

const listAllConsumers = mcpTool({
  name: "list_consumers",
  title: "List consumers",
  description:
    "Lists the account's consumers, which are named positions in the event log: types, position, lag (events that wait, at least so many if is_partial is true, and the time of the oldest), last poll and lease. Use it to see whether a program that polls events is behind or stopped.",
  operation: ListConsumerViews,
  method: "GET",
  input: z.object({}),
  run: (ctx) => listConsumerViews(ctx),
});

const pollEvents = mcpTool({
  name: "poll_consumer",
  title: "Poll events of a consumer",
  description:
    "Returns the next events of a consumer in order, with a lease, without waiting. After you have processed them, call it again with up_to and lease to acknowledge them and get the next ones. If up_to acknowledges only a part, the result has no events but the extended lease of the rest, which you have already. Events that are not acknowledged before the lease ends are returned again. Needs a consumer for you alone, which a person creates with PUT /v3/consumers/{name}: the program of another consumer would wait for your lease.",
  operation: PollConsumer,
  method: "POST",
  input: z.object({
    name,
    up_to: ConsumerEventId.optional().describe("ID of the last event that you have processed."),
    lease: z.uuid().optional().describe("Token of the lease of the previous result. Set it with up_to."),
    limit: z.int().min(1).max(50).default(20).describe("Maximum number of events."),
    lease_seconds: z
      .int()
      .min(10)
      .max(600)
      .default(300)
      .describe("Seconds until events that are not acknowledged are returned again."),
  }),
  async run(ctx, { up_to, lease, name: consumer, limit, lease_seconds }) {
    const params = { name: consumer };
    if ((up_to === undefined) !== (lease === undefined)) {
      fail("parameter_invalid", "set both up_to and lease to acknowledge events, or neither");
    }
    if (up_to !== undefined && lease !== undefined) {
      const acked = await ackConsumer(ctx, { params, query: undefined, body: { up_to, lease } });
      // The caller has the rest of its batch. A poll would fail because of its own lease.
      if (acked.lease !== null) return { position: acked.position, events: [], lease: acked.lease };
    }
    const body = { limit, wait_seconds: 0, lease_seconds };
    const never = new AbortController().signal;
    return pollConsumer(ctx, { params, query: undefined, body }, AbortSignal.abort(), never);
  },
});

const seek = mcpTool({
  name: "seek_consumer",
  title: "Move a consumer",
  description:
    "Moves a consumer to another position in the event log and ends its lease. Moving it back returns events again to its program; moving it forward skips the events in between. Use it after events expired (error 2032), or to process events again.",
  operation: SeekConsumer,
  method: "POST",
  isDestructive: true,
  input: z.object({
    name,
    after: z
      .string()
      .max(64)
      .describe('ID of the event to continue after, a time in ISO 8601, "oldest" or "now".'),
  }),
  async run(ctx, { name: consumer, after }) {
    const body = SeekConsumer.body.parse({ after });
    return seekConsumer(ctx, { params: { name: consumer }, query: undefined, body });
  },
});

/** Tools for consumers, with which agents without a public URL get events. */
export const CONSUMER_TOOLS = [listAllConsumers, pollEvents, seek];
