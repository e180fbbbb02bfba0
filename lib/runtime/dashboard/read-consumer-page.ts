import "server-only";
import { notFound } from "next/navigation";
import { cache } from "react";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { foundOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";
import { ConsumerParams } from "@/lib/webhooks/consumers/consumer";
import { getConsumer } from "@/lib/webhooks/consumers/get-consumer";

/** Loads the data of a consumer's page, once per request, or shows the "not found" page. */
export const readConsumerPage = cache(async (name: string) => {
  const { ctx, may } = await requireAccount("view_webhooks");
  const { data: params } = ConsumerParams.safeParse({ name });
  if (params === undefined) notFound();
  const consumer = await foundOrNotFound(() =>
    getConsumer(ctx, { params, query: undefined, body: undefined }),
  );
  return { consumer, mayManage: may("manage_webhooks") };
});
