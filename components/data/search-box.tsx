"use client";

import { Search, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { InputGroup, InputGroupAddon, InputGroupButton, InputGroupInput } from "@/components/ui/input-group";

type SearchBoxProps = {
  /** What can be searched by, in full. */
  label: string;
  placeholder: string;
  /** What is searched by now. Give the box this as its key, so that it follows the address. */
  value: string;
  onSearch: (text: string) => void;
};

/** A search that begins with Enter. */
export function SearchBox({ label, placeholder, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);

  function submit(event: FormEvent): void {
    event.preventDefault();
    onSearch(text);
  }

  return (
    <form onSubmit={submit} className="w-full min-w-0 sm:w-104">
      <InputGroup>
        <InputGroupAddon>
          <Search aria-hidden="true" />
        </InputGroupAddon>
        <InputGroupInput
          type="search"
          name="q"
          aria-label={label}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {value !== "" && (
          <InputGroupAddon>
            <InputGroupButton aria-label="Clear the search" onClick={() => onSearch("")}>
              <X />
            </InputGroupButton>
          </InputGroupAddon>
        )}
      </InputGroup>
    </form>
  );
}
