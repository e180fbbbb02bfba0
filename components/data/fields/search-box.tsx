"use client";

import { Search, X } from "lucide-react";
import { type FormEvent, useRef } from "react";
import { useFieldText } from "@/components/data/fields/use-field-text";
import { InputGroup, InputGroupAddon, InputGroupButton, InputGroupInput } from "@/components/ui/input-group";

type SearchBoxProps = {
  /** The name in the address, with which the browser submits the form until the page's script runs. */
  name: string;
  /** The accessible label, with everything that can be searched by. */
  label: string;
  placeholder: string;
  /** The current search. */
  value: string;
  /** Returns the text that stays in the field. */
  onSearch: (text: string) => string;
};

/** A search field that submits on Enter. */
export function SearchBox({ name, label, placeholder, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useFieldText(value);
  const field = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent): void {
    event.preventDefault();
    setText(onSearch(text));
  }

  function clear(): void {
    setText(onSearch(""));
    field.current?.focus();
  }

  return (
    <form onSubmit={submit} className="w-full min-w-0 sm:w-104">
      <InputGroup>
        <InputGroupAddon>
          <Search aria-hidden="true" />
        </InputGroupAddon>
        <InputGroupInput
          ref={field}
          className="[&::-webkit-search-cancel-button]:hidden"
          type="search"
          name={name}
          aria-label={label}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {(value !== "" || text !== "") && (
          <InputGroupAddon>
            <InputGroupButton aria-label="Clear search" onClick={clear}>
              <X />
            </InputGroupButton>
          </InputGroupAddon>
        )}
      </InputGroup>
    </form>
  );
}
