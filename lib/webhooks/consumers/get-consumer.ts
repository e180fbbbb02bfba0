import "server-only";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { Consumer, ConsumerParams, toConsumer } from "@/lib/webhooks/consumers/consumer";
import { findConsumer } from "@/lib/webhooks/consumers/find-consumer";

export const GetConsumer = contract({
  summary: "Get a consumer",
  description: "Returns a consumer with its position and the events that wait for it. A Trunkline extension.",
  tag: "Webhooks",
  right: "view_webhooks",
  params: ConsumerParams,
  returns: Consumer,
  status: 200,
  errors: ["parameter_invalid", "consumer_not_found"],
  extension: true,
});

/** A consumer of the account. Errors: consumer_not_found. */
export async function getConsumer(ctx: Context, { params }: Input<typeof GetConsumer>): Promise<Consumer> {
  return toConsumer(await findConsumer(ctx, params.name), ctx.now);
}
