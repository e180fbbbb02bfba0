"use client";

import { Upload } from "lucide-react";
import { useRef } from "react";
import { FileInput } from "@/components/composer/files/file-input";
import { Button } from "@/components/ui/button";

export function UploadButton({ onChoose }: { onChoose: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);

  return (
    <>
      <Button onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" />
        Upload files
      </Button>
      <FileInput ref={input} label="Files to upload" onChoose={onChoose} />
    </>
  );
}
