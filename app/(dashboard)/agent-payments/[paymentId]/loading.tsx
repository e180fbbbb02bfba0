import { DetailsLoading } from "@/components/details/details-loading";

export default function Loading() {
  return (
    <DetailsLoading
      title="Agent payment"
      breadcrumbs={[{ label: "Agent payments", href: "/agent-payments" }]}
    />
  );
}
