import { DetailsLoading } from "@/components/details/details-loading";
import { ReplayList } from "@/components/webhooks/endpoint-replays";

export default function Loading() {
  return (
    <DetailsLoading title="Webhook endpoint" breadcrumbs={[{ label: "Webhooks", href: "/webhooks" }]}>
      <ReplayList />
    </DetailsLoading>
  );
}
