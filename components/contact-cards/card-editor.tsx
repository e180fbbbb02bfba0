"use client";

import { useState } from "react";
import { type CardFields, CardForm } from "@/components/contact-cards/card-form";
import { CardPreview } from "@/components/contact-cards/card-preview";
import { DeleteCard } from "@/components/contact-cards/delete-card";
import { ErrorNote } from "@/components/data/error-note";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

type CardEditorProps = { line: LineDetails; mayManage: boolean };

/** Edits a line's contact card, with a preview. */
export function CardEditor({ line, mayManage }: CardEditorProps) {
  const { contact_card: card } = line;
  const [fields, setFields] = useState<CardFields>(() => toFields(card));
  return (
    <>
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
        <div className="flex flex-col items-stretch gap-4">
          <CardPreview
            name={`${fields.firstName} ${fields.lastName}`.trim()}
            number={line.phone_number}
            imageUrl={fields.imageUrl}
          />
          {mayManage && card !== null && (
            <span className="self-end">
              <DeleteCard line={line} onDeleted={() => setFields(toFields(null))} />
            </span>
          )}
        </div>
      </div>
    </>
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
