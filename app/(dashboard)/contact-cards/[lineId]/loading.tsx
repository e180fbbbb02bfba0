import { DetailsLoading } from "@/components/details/details-loading";

export default function Loading() {
  return (
    <DetailsLoading title="Contact card" breadcrumbs={[{ label: "Contact cards", href: "/contact-cards" }]} />
  );
}
