"use client";

import { type RefObject, useEffect, useState } from "react";
import { whenIdle } from "@/components/data/when-idle";

type FileInputProps = {
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  onChoose: (files: File[]) => void;
};

/** A hidden file field, opened by a button. It offers the supported file types once their table is loaded. */
export function FileInput({ ref, label, onChoose }: FileInputProps) {
  const [accept, setAccept] = useState<string>();

  useEffect(
    () =>
      whenIdle(() => {
        void import("@/components/composer/files/file-type").then(
          ({ ACCEPTED_FILES }) => setAccept(ACCEPTED_FILES),
          () => undefined,
        );
      }),
    [],
  );

  return (
    <input
      ref={ref}
      type="file"
      multiple
      accept={accept}
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      onChange={({ target }) => {
        onChoose([...(target.files ?? [])]);
        // Resets the input, so that choosing the same file again fires a change event.
        target.value = "";
      }}
    />
  );
}
