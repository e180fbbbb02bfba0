import { useState } from "react";

/** The text of a field. A person may change it at any time; when `value` changes, the field shows that again. */
export function useFieldText(value: string): [text: string, change: (text: string) => void] {
  const [field, setField] = useState({ value, text: value });
  const shown = field.value === value ? field : { value, text: value };
  if (shown !== field) setField(shown);
  return [shown.text, (text) => setField({ value, text })];
}
