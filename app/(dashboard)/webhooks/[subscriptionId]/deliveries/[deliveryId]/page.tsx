import { notFound } from "next/navigation";
import { z } from "zod";
import { DeliveryView } from "@/components/webhooks/delivery-view";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { getDelivery } from "@/lib/webhooks/get-delivery";

export const metadata = { title: "Delivery" };

type DeliveryPageProps = { params: Promise<{ deliveryId: string }> };

export default async function DeliveryPage({ params }: DeliveryPageProps) {
  const { ctx, may } = await requireAccount("view_webhooks");
  const { deliveryId } = await params;
  return (
    <DeliveryView
      key={deliveryId}
      initial={await findDelivery(ctx, deliveryId)}
      mayManage={may("manage_webhooks")}
    />
  );
}

async function findDelivery(ctx: Context, deliveryId: string) {
  if (!z.uuid().safeParse(deliveryId).success) notFound();
  return getDelivery(ctx, { params: { deliveryId } }).catch((error: unknown) => {
    if (error instanceof ApiError) notFound();
    throw error;
  });
}
