import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";

/** What a list shows, all of it, as a file. */
export function CsvLink({ href }: { href: string }) {
  return (
    <Button asChild variant="outline" size="sm">
      <a href={href} download>
        <Download aria-hidden="true" />
        Export CSV
      </a>
    </Button>
  );
}
