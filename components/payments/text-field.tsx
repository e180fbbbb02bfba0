"use client";

import type { ComponentProps, ReactNode } from "react";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

type TextFieldProps = Omit<ComponentProps<typeof Input>, "onChange" | "value"> & {
  label: string;
  note?: ReactNode;
  value: string;
  onChange: (text: string) => void;
};

/** A single-line text input with a label and a note. */
export function TextField({ label, note, onChange, ...input }: TextFieldProps) {
  return (
    <Field>
      <FieldLabel>{label}</FieldLabel>
      <FieldControl>
        <Input autoComplete="off" {...input} onChange={(event) => onChange(event.target.value)} />
      </FieldControl>
      {note && <FieldDescription>{note}</FieldDescription>}
    </Field>
  );
}
