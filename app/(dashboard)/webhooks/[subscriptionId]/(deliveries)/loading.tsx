import { DetailsLoading } from "@/components/details/details-loading";
import { DeliveryList } from "@/components/webhooks/deliveries/delivery-list";

export default function Loading() {
  return (
    <DetailsLoading title="Webhook endpoint" breadcrumbs={[{ label: "Webhooks", href: "/webhooks" }]}>
      <DeliveryList />
    </DetailsLoading>
  );
}
