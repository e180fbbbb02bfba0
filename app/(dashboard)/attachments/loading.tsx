import { AttachmentTable } from "@/components/attachments/attachment-table";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody className="max-w-none" role="status" aria-label="Loading the attachments">
      <PageHeader title="Attachments" description={<Skeleton className="mt-1 h-4 w-96 max-w-full" />} />
      <Skeleton className="h-8.5 w-full max-w-5xl" />
      <div className="flex items-end justify-between gap-3">
        <Skeleton className="h-14 w-40 rounded-lg" />
        <Skeleton className="h-9 w-32" />
      </div>
      <AttachmentTable attachments={[]} loadingRows={8} />
    </PageBody>
  );
}
