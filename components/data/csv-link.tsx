import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { MAX_CSV_ROWS } from "@/lib/platform/csv-table";

const LIMIT = `Up to ${MAX_CSV_ROWS.toLocaleString("en-US")} rows, newest first. When there are more, the last line says so.`;

/** What a list shows, all of it, as a file. */
export function CsvLink({ href }: { href: string }) {
  return (
    <Button asChild variant="outline" size="sm" title={LIMIT}>
      <a href={href} download>
        <Download aria-hidden="true" />
        Export CSV
        <span aria-hidden="true" className="font-normal text-muted-foreground text-xs">
          ≤ {MAX_CSV_ROWS / 1000}k rows
        </span>
        <span className="sr-only">. {LIMIT}</span>
      </a>
    </Button>
  );
}
