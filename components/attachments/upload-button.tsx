"use client";

import { Upload } from "lucide-react";
import { type ChangeEvent, useRef } from "react";
import { Button } from "@/components/ui/button";
import { ACCEPTED_FILES } from "@/lib/client/file-type";

/** Chooses files to upload. */
export function UploadButton({ onChoose }: { onChoose: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);

  function choose({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
    onChoose([...(currentTarget.files ?? [])]);
    // The same file may be chosen again.
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
