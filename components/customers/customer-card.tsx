import type { ReactNode } from "react";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";

type CustomerCardProps = { title: string; empty: string | null; children?: ReactNode };

/** A section of a customer's page. `empty`: the sentence for a section without entries. */
export function CustomerCard({ title, empty, children }: CustomerCardProps) {
  return (
    <Card className="min-w-0">
      <CardHeader>
        <CardTitle>
          <h2>{title}</h2>
        </CardTitle>
      </CardHeader>
      <CardContent className="flex min-w-0 flex-col gap-3 text-[0.8125rem]">
        {empty === null ? children : <p className="text-muted-foreground">{empty}</p>}
      </CardContent>
    </Card>
  );
}
