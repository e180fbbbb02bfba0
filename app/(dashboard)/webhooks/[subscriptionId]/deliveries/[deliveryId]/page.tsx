import { cache } from "react";
import { DeliveryScreen } from "@/components/webhooks/deliveries/delivery-screen";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";
import { getDeliveryView } from "@/lib/webhooks/deliveries/get-delivery-view";

type DeliveryPageProps = { params: Promise<{ deliveryId: string }> };

const readDelivery = cache(async (deliveryId: string) => {
  const { ctx } = await requireAccount("view_webhooks");
  return findOrNotFound(deliveryId, () => getDeliveryView(ctx, { params: { deliveryId } }));
});

export async function generateMetadata({ params }: DeliveryPageProps) {
  const { delivery } = await readDelivery((await params).deliveryId);
  return { title: `${delivery.event.type} · Delivery` };
}

export default async function DeliveryPage({ params }: DeliveryPageProps) {
  const { may } = await requireAccount("view_webhooks");
  const { deliveryId } = await params;
  return (
    <DeliveryScreen
      key={deliveryId}
      initial={await readDelivery(deliveryId)}
      mayManage={may("manage_webhooks")}
    />
  );
}
