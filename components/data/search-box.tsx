"use client";

import { Search, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { InputGroup, InputGroupAddon, InputGroupButton, InputGroupInput } from "@/components/ui/input-group";

type SearchBoxProps = {
  /** The name in the address, with which the browser submits the form until the page's script runs. */
  name: string;
  /** The accessible label, with everything that can be searched by. */
  label: string;
  placeholder: string;
  /** The current search. Pass it as the `key` too, so that the field follows the URL. */
  value: string;
  onSearch: (text: string) => void;
};

/** A search field that submits on Enter. */
export function SearchBox({ name, label, placeholder, value, onSearch }: SearchBoxProps) {
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
          name={name}
          aria-label={label}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {value !== "" && (
          <InputGroupAddon>
            <InputGroupButton aria-label="Clear search" onClick={() => onSearch("")}>
              <X />
            </InputGroupButton>
          </InputGroupAddon>
        )}
      </InputGroup>
    </form>
  );
}
