import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading the contact card">
      <PageHeader
        title="Contact card"
        breadcrumbs={[{ label: "Contact cards", href: "/contact-cards" }]}
        description="What recipients see when the card has been shared with them."
      />
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_24rem]">
        <Skeleton className="h-80 w-full rounded-xl" />
        <Skeleton className="h-64 w-full rounded-xl" />
      </div>
    </PageBody>
  );
}
