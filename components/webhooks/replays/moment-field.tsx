import { useState } from "react";
import { formatMoment } from "@/components/data/time/format-time";
import { NOT_A_TIME, readMoment } from "@/components/data/time/read-moment";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { momentText } from "@/lib/client/moment-text";

type MomentFieldProps = {
  label: string;
  placeholder: string;
  /** RFC 3339. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

/** A time in words, as a timestamp or pasted from a log, with the time that it stands for below. */
export function MomentField({ label, placeholder, value, onChange }: MomentFieldProps) {
  const [text, setText] = useState(() => (value === undefined ? "" : momentText(Date.parse(value))));
  const isUnread = text.trim() !== "" && value === undefined;

  function change(next: string): void {
    setText(next);
    onChange(readMoment(next, new Date())?.toISOString());
  }

  return (
    <Field className="min-w-0 flex-1 basis-56">
      <FieldLabel>{label}</FieldLabel>
      <FieldControl>
        <Input
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={text}
          ref={(input) => input?.setCustomValidity(isUnread ? "Enter a time, such as yesterday 2pm." : "")}
          onChange={(event) => change(event.target.value)}
        />
      </FieldControl>
      <FieldDescription className="tabular-nums">
        {isUnread && NOT_A_TIME}
        {!isUnread && (value === undefined ? "Any time" : formatMoment(Date.parse(value)))}
      </FieldDescription>
    </Field>
  );
}
