import { DeliveryScreen } from "@/components/webhooks/deliveries/delivery-screen";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";
import { getDeliveryView } from "@/lib/webhooks/deliveries/get-delivery-view";

export const metadata = { title: "Delivery" };

type DeliveryPageProps = { params: Promise<{ deliveryId: string }> };

export default async function DeliveryPage({ params }: DeliveryPageProps) {
  const { ctx, may } = await requireAccount("view_webhooks");
  const { deliveryId } = await params;
  return (
    <DeliveryScreen
      key={deliveryId}
      initial={await findOrNotFound(deliveryId, () => getDeliveryView(ctx, { params: { deliveryId } }))}
      mayManage={may("manage_webhooks")}
    />
  );
}
