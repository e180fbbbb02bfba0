import "server-only";
import { z } from "zod";
import { fail } from "@/lib/platform/errors/errors";

const Ordering = z.enum(["none", "chat"]);
const OnExhausted = z.enum(["skip", "stop"]);

/** The order of deliveries, for a request. */
export const orderingInput = {
  ordering: Ordering.nullable().describe(
    "`chat`: the next event of a chat waits until the one before was delivered or has permanently failed; other chats go on. `none`, `null` or omitted: events do not wait for each other. A Trunkline extension.",
  ),
  on_exhausted: OnExhausted.nullable().describe(
    "With `ordering` `chat`, what follows a delivery that permanently failed. `skip`, `null` or omitted: the chat's next event. `stop`: the chat's events wait until the delivery is retried or skipped. A Trunkline extension.",
  ),
};

/** The order of deliveries, in a response. */
export const orderingOutput = {
  ordering: z
    .literal("chat")
    .optional()
    .describe(
      "The next event of a chat waits until the one before was delivered or has permanently failed. Absent without an order. A Trunkline extension.",
    ),
  on_exhausted: OnExhausted.optional().describe(
    "What follows a delivery that permanently failed: the chat's next event, or a stop of the chat. Absent without an order. A Trunkline extension.",
  ),
};

/** The columns of the order; null = none, and the next event follows. */
export interface OrderingColumns {
  orderByChat: boolean | null;
  stopExhausted: boolean | null;
}

interface OrderingFields {
  ordering?: z.infer<typeof Ordering> | null;
  on_exhausted?: z.infer<typeof OnExhausted> | null;
}

/** The order after a request: a field that it omits keeps its value. Errors: parameter_invalid for `stop` without an order. */
export function toOrderingColumns(
  { ordering, on_exhausted }: OrderingFields,
  before: OrderingColumns = { orderByChat: null, stopExhausted: null },
): OrderingColumns {
  const orderByChat = ordering === undefined ? before.orderByChat : ordering === "chat" || null;
  const stopExhausted = on_exhausted === undefined ? before.stopExhausted : on_exhausted === "stop" || null;
  if (orderByChat !== null) return { orderByChat, stopExhausted };
  if (on_exhausted === "stop") fail("parameter_invalid", "on_exhausted can be stop only with ordering chat");
  return { orderByChat, stopExhausted: null };
}

type OrderedEndpoint = Pick<OrderingColumns, "orderByChat"> & { isActive: boolean };

/** Whether the endpoint delivers the events of each chat in order. */
export function isOrdered({ isActive, orderByChat }: OrderedEndpoint): boolean {
  return isActive && orderByChat === true;
}

/** Whether a change of an endpoint gives up what waits in the queues of its chats. */
export function endsOrder(before: OrderedEndpoint, after: OrderedEndpoint): boolean {
  return before.orderByChat === true && !isOrdered(after);
}

/** The fields of a response; empty without an order. */
export function toOrdering({ orderByChat, stopExhausted }: OrderingColumns): {
  ordering?: "chat";
  on_exhausted?: "skip" | "stop";
} {
  if (orderByChat !== true) return {};
  return { ordering: "chat", on_exhausted: stopExhausted === true ? "stop" : "skip" };
}
