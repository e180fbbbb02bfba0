"use client";

import { CardEditor } from "@/components/contact-cards/card-editor";
import { CardState } from "@/components/contact-cards/card-state";
import { useLine } from "@/components/lines/use-line";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

type LineCardProps = { initial: LineDetails; mayManage: boolean };

/** The contact card of a line, on the line's own page. */
export function LineCard({ initial, mayManage }: LineCardProps) {
  const { data: line } = useLine(initial);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p className="flex flex-wrap items-center gap-2 text-muted-foreground text-sm">
        <CardState card={line.contact_card} />
        The name and photo that recipients see after you share the card with them.
      </p>
      <CardEditor line={line} mayManage={mayManage} />
    </div>
  );
}
