import { DeliveryView } from "@/components/webhooks/deliveries/delivery-view";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";
import { getDelivery } from "@/lib/webhooks/deliveries/get-delivery";

export const metadata = { title: "Delivery" };

type DeliveryPageProps = { params: Promise<{ deliveryId: string }> };

export default async function DeliveryPage({ params }: DeliveryPageProps) {
  const { ctx, may } = await requireAccount("view_webhooks");
  const { deliveryId } = await params;
  return (
    <DeliveryView
      key={deliveryId}
      initial={await findOrNotFound(deliveryId, () => getDelivery(ctx, { params: { deliveryId } }))}
      mayManage={may("manage_webhooks")}
    />
  );
}
