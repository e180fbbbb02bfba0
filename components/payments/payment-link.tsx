import { ExternalLink } from "lucide-react";
import { CopyButton } from "@/components/data/copy/copy-button";
import { Button } from "@/components/ui/button";

/** A link for the customer, with buttons that copy and open it. */
export function PaymentLink({ url, note }: { url: string; note: string }) {
  return (
    <section
      aria-label="Link for the customer"
      className="flex min-w-0 flex-wrap items-center gap-3 rounded-xl border bg-card px-4 py-3 shadow-xs"
    >
      <div className="flex min-w-0 flex-1 basis-60 flex-col">
        <span className="text-muted-foreground text-xs">{note}</span>
        <span className="truncate font-mono text-xs leading-6" title={url}>
          {url}
        </span>
      </div>
      <div className="flex gap-2">
        <CopyButton value={url} label="link" showLabel variant="outline" />
        <Button asChild variant="outline" size="sm">
          <a href={url} target="_blank" rel="noreferrer">
            <ExternalLink aria-hidden="true" />
            Open
          </a>
        </Button>
      </div>
    </section>
  );
}
