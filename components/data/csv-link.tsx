import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { MAX_CSV_ROWS } from "@/lib/platform/csv-table";

const LIMIT = `First ${MAX_CSV_ROWS.toLocaleString("en-US")} rows, newest first. The last line says if there are more.`;

/** Exports every row that matches a list's filters as CSV. */
export function CsvLink({ href }: { href: string }) {
  return (
    <Button asChild variant="outline" size="sm" title={LIMIT}>
      <a href={href} download>
        <Download aria-hidden="true" />
        Export CSV
        <span className="sr-only">. {LIMIT}</span>
      </a>
    </Button>
  );
}
