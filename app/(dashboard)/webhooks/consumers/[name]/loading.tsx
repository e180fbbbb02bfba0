import { DetailsLoading } from "@/components/details/details-loading";

export default function Loading() {
  return (
    <DetailsLoading
      title="Consumer"
      breadcrumbs={[
        { label: "Webhooks", href: "/webhooks" },
        { label: "Consumers", href: "/webhooks/consumers" },
      ]}
    />
  );
}
