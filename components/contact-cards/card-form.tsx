"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { CardImage } from "@/components/contact-cards/card-image";
import { ImageField } from "@/components/contact-cards/image-field";
import { FailureNote } from "@/components/data/failure-note";
import { toast } from "@/components/data/toast";
import { linesKey } from "@/components/lines/lines-key";
import { Button } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

const MIN_IMAGE_PIXELS = 200;

export type CardFields = {
  firstName: string;
  lastName: string;
  /** The URL of the card's image, or a newly chosen image as a data URL. */
  imageUrl: string | null;
  isNewImage: boolean;
};

type CardFormProps = {
  line: LineDetails;
  fields: CardFields;
  onChange: (fields: CardFields) => void;
  mayManage: boolean;
};

/** The form of a contact card. Saving applies the card to the line immediately. */
export function CardForm({ line, fields, onChange, mayManage }: CardFormProps) {
  const queryClient = useQueryClient();
  const isNew = line.contact_card === null;
  const save = useMutation<unknown, ApiFailure>({
    mutationFn: () => apiFetch(`/api/lines/${line.id}/contact-card`, { method: "PUT", body: toBody(fields) }),
    onSuccess: () => {
      onChange({ ...fields, isNewImage: false });
      toast.success(isNew ? "Contact card created" : "Contact card saved");
    },
    // A card that the line rejects is stored too, so refetch after errors.
    onSettled: () => queryClient.invalidateQueries({ queryKey: linesKey }),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate();
  }

  return (
    <Card>
      <CardContent>
        <form onSubmit={submit} className="flex flex-col gap-5">
          <FailureNote title="The contact card could not be saved" failure={save.error} />
          {mayManage && (
            <ImageField
              label="Photo"
              shape="round"
              leastPixels={MIN_IMAGE_PIXELS}
              shown={
                <CardImage
                  name={`${fields.firstName} ${fields.lastName}`.trim() || "?"}
                  url={fields.imageUrl}
                  className="size-14 text-lg"
                />
              }
              url={fields.imageUrl}
              onChange={(imageUrl) => onChange({ ...fields, imageUrl, isNewImage: true })}
            />
          )}
          <Field>
            <FieldLabel>First name</FieldLabel>
            <FieldControl>
              <Input
                required
                maxLength={255}
                autoComplete="off"
                readOnly={!mayManage}
                value={fields.firstName}
                onChange={(event) => onChange({ ...fields, firstName: event.target.value })}
              />
            </FieldControl>
          </Field>
          <Field>
            <FieldLabel>Last name (optional)</FieldLabel>
            <FieldControl>
              <Input
                maxLength={255}
                autoComplete="off"
                readOnly={!mayManage}
                value={fields.lastName}
                onChange={(event) => onChange({ ...fields, lastName: event.target.value })}
              />
            </FieldControl>
          </Field>
          {mayManage && (
            <Button type="submit" disabled={save.isPending} className="self-start">
              {save.isPending && <Spinner />}
              {isNew ? "Create card" : "Save"}
            </Button>
          )}
        </form>
      </CardContent>
    </Card>
  );
}

function toBody({ firstName, lastName, imageUrl, isNewImage }: CardFields) {
  const image = imageUrl === null ? null : imageUrl.slice(imageUrl.indexOf(",") + 1);
  return {
    first_name: firstName,
    last_name: lastName.trim() === "" ? null : lastName,
    ...(isNewImage ? { image } : {}),
  };
}
