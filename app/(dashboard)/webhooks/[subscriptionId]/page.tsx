import { notFound } from "next/navigation";
import { z } from "zod";
import { EndpointView } from "@/components/webhooks/endpoint-view";
import { requireAccount } from "@/lib/dashboard/current-session";
import { listEventGroups } from "@/lib/events/event-groups";
import { listLines } from "@/lib/lines/list-lines";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors";
import { roleHasRight } from "@/lib/users/role-rights";
import { getWebhookEndpoint } from "@/lib/webhooks/get-webhook-endpoint";

export const metadata = { title: "Webhook endpoint" };

type EndpointPageProps = {
  params: Promise<{ subscriptionId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

const Filter = z.object({
  status: z.enum(["waiting", "delivered", "failed", "skipped"]).optional().catch(undefined),
  type: z.string().optional().catch(undefined),
});

export default async function EndpointPage({ params, searchParams }: EndpointPageProps) {
  const { account, ctx } = await requireAccount();
  const { subscriptionId } = await params;
  const [endpoint, { phone_numbers }, query] = await Promise.all([
    findEndpoint(ctx, subscriptionId),
    listLines(ctx),
    searchParams,
  ]);
  return (
    <EndpointView
      key={endpoint.id}
      initial={endpoint}
      filter={Filter.parse(query)}
      mayManage={roleHasRight(account.role, "manage_webhooks")}
      choices={{ groups: listEventGroups(), lines: phone_numbers.map((line) => line.phone_number) }}
    />
  );
}

async function findEndpoint(ctx: Context, subscriptionId: string) {
  if (!z.uuid().safeParse(subscriptionId).success) notFound();
  return getWebhookEndpoint(ctx, { params: { subscriptionId } }).catch((error: unknown) => {
    if (error instanceof ApiError) notFound();
    throw error;
  });
}
