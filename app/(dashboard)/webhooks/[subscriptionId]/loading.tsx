import { DetailsLoading } from "@/components/details/details-loading";

export default function Loading() {
  return <DetailsLoading title="Webhook endpoint" breadcrumbs={[{ label: "Webhooks", href: "/webhooks" }]} />;
}
