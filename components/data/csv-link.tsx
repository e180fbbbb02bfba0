"use client";

import { Download } from "lucide-react";
import type { MouseEvent } from "react";
import { Button } from "@/components/ui/button";
import { confirmIdentityFor } from "@/lib/client/api-fetch";
import { MAX_CSV_ROWS } from "@/lib/platform/lists/csv-table";

const LIMIT = `First ${MAX_CSV_ROWS.toLocaleString("en-US")} rows, newest first. The last line says if there are more.`;

/** The exports that require a recent proof of identity. */
const PROVEN = /^\/api\/audit-log\//;

/** Exports every row that matches a list's filters as CSV. */
export function CsvLink({ href }: { href: string }) {
  async function confirm(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
    if (!PROVEN.test(href)) return;
    event.preventDefault();
    if (await confirmIdentityFor(href)) location.assign(href);
  }

  return (
    <Button asChild variant="outline" size="sm" title={LIMIT}>
      <a href={href} download onClick={(event) => void confirm(event)}>
        <Download aria-hidden="true" />
        Export CSV
        <span className="sr-only">. {LIMIT}</span>
      </a>
    </Button>
  );
}
