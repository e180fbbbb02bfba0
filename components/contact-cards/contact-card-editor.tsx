"use client";

import { useState } from "react";
import { type CardFields, CardForm } from "@/components/contact-cards/card-form";
import { CardPreview } from "@/components/contact-cards/card-preview";
import { CardState } from "@/components/contact-cards/card-state";
import { DeleteCard } from "@/components/contact-cards/delete-card";
import { ErrorNote } from "@/components/data/error-note";
import { DetailsPage } from "@/components/details/details-page";
import { useLine } from "@/components/lines/use-line";
import type { LineDetails } from "@/lib/lines/lines/get-line-details";

type ContactCardEditorProps = { initial: LineDetails; mayManage: boolean };

/** Edits a line's contact card, with a preview and the card's status. */
export function ContactCardEditor({ initial, mayManage }: ContactCardEditorProps) {
  const { data: line, error, refetch } = useLine(initial);
  const { contact_card: card } = line;
  const [fields, setFields] = useState<CardFields>(() => toFields(initial.contact_card));
  return (
    <DetailsPage
      title={line.phone_number}
      breadcrumbs={[{ label: "Contact cards", href: "/contact-cards" }]}
      status={<CardState card={card} />}
      description="The name and photo that recipients see after you share the card with them."
      actions={
        mayManage && card !== null && <DeleteCard line={line} onDeleted={() => setFields(toFields(null))} />
      }
      failure={error}
      onRetry={() => void refetch()}
    >
      {card !== null && !card.is_active && (
        <ErrorNote title="The line rejected this card">
          Recipients can't see the card. {mayManage && "Save it again to retry."}
        </ErrorNote>
      )}
      {line.status === "FLAGGED" && (
        <ErrorNote title="This line is flagged">You can edit the card after the flag is cleared.</ErrorNote>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_24rem]">
        <CardForm line={line} fields={fields} onChange={setFields} mayManage={mayManage} />
        <CardPreview
          name={`${fields.firstName} ${fields.lastName}`.trim()}
          number={line.phone_number}
          imageUrl={fields.imageUrl}
        />
      </div>
    </DetailsPage>
  );
}

function toFields(card: LineDetails["contact_card"]): CardFields {
  return {
    firstName: card?.first_name ?? "",
    lastName: card?.last_name ?? "",
    imageUrl: card?.image_url ?? null,
    isNewImage: false,
  };
}
