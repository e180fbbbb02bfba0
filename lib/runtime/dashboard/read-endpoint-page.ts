import "server-only";
import { notFound } from "next/navigation";
import { z } from "zod";
import { listEventGroups } from "@/lib/events/event-groups";
import { listLines } from "@/lib/lines/lines/list-lines";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { getWebhookEndpoint } from "@/lib/webhooks/get-webhook-endpoint";

/** What every page of one webhook endpoint shows. Ends in the page for what is not there. */
export async function readEndpointPage(subscriptionId: string) {
  const { ctx, may } = await requireAccount("view_webhooks");
  const [endpoint, { phone_numbers }] = await Promise.all([
    findEndpoint(ctx, subscriptionId),
    listLines(ctx),
  ]);
  return {
    ctx,
    shown: {
      initial: endpoint,
      mayManage: may("manage_webhooks"),
      choices: {
        groups: listEventGroups(),
        lines: phone_numbers.map((line) => line.phone_number),
      },
    },
    lines: phone_numbers.map(({ id, phone_number }) => ({ id, phone_number })),
  };
}

async function findEndpoint(ctx: Context, subscriptionId: string) {
  if (!z.uuid().safeParse(subscriptionId).success) notFound();
  return getWebhookEndpoint(ctx, { params: { subscriptionId } }).catch((error: unknown) => {
    if (error instanceof ApiError) notFound();
    throw error;
  });
}
