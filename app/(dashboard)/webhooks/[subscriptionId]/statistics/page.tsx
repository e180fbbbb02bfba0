import { EndpointFrame } from "@/components/webhooks/endpoint-frame";
import { EndpointStatistics } from "@/components/webhooks/endpoint-statistics";
import { endpointTitle, readEndpointPage } from "@/lib/runtime/dashboard/read-endpoint-page";
import { GetEndpointStats, getEndpointStats } from "@/lib/webhooks/endpoints/get-endpoint-stats";

export const generateMetadata = endpointTitle("Statistics");

type StatisticsPageProps = {
  params: Promise<{ subscriptionId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function StatisticsPage({ params, searchParams }: StatisticsPageProps) {
  const [{ subscriptionId }, asked] = await Promise.all([params, searchParams]);
  const { ctx, shown } = await readEndpointPage(subscriptionId);
  const query = GetEndpointStats.query.safeParse(asked);
  const stats = await getEndpointStats(ctx, {
    params: { subscriptionId },
    query: query.success ? query.data : { period: "24h" },
  });
  return (
    <EndpointFrame key={subscriptionId} {...shown} current="statistics">
      <EndpointStatistics key={stats.period} id={subscriptionId} initial={stats} />
    </EndpointFrame>
  );
}
