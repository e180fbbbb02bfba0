"use client";

import { CardEditor } from "@/components/contact-cards/card-editor";
import { CardState } from "@/components/contact-cards/card-state";
import { DetailsPage } from "@/components/details/details-page";
import { useLine } from "@/components/lines/use-line";
import { lineText } from "@/lib/client/line-text";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

type ContactCardEditorProps = { initial: LineDetails; mayManage: boolean };

/** The page of a line's contact card. */
export function ContactCardEditor({ initial, mayManage }: ContactCardEditorProps) {
  const { data: line, error, refetch } = useLine(initial);
  return (
    <DetailsPage
      title={lineText(line)}
      breadcrumbs={[{ label: "Contact cards", href: "/contact-cards" }]}
      status={<CardState card={line.contact_card} />}
      description="The name and photo that recipients see after you share the card with them."
      failure={error}
      onRetry={() => void refetch()}
    >
      <CardEditor line={line} mayManage={mayManage} />
    </DetailsPage>
  );
}
