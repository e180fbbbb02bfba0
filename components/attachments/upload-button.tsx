"use client";

import { Upload } from "lucide-react";
import { type ChangeEvent, useRef } from "react";
import { ACCEPTED_FILES } from "@/components/composer/file-type";
import { Button } from "@/components/ui/button";

export function UploadButton({ onChoose }: { onChoose: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);

  function choose({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
    onChoose([...(currentTarget.files ?? [])]);
    // Resets the input, so that choosing the same file again fires a change event.
    currentTarget.value = "";
  }

  return (
    <>
      <Button onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" />
        Upload files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept={ACCEPTED_FILES}
        aria-label="Files to upload"
        tabIndex={-1}
        className="sr-only"
        onChange={choose}
      />
    </>
  );
}
