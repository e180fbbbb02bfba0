"use client";

import { ImageUp, Trash2 } from "lucide-react";
import { type ChangeEvent, type ReactNode, useRef, useState } from "react";
import { CropDialog, type PictureShape } from "@/components/contact-cards/crop-dialog";
import { readPicture, refusePicture } from "@/components/contact-cards/crop-picture";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldError, FieldLabel } from "@/components/ui/field";

type PictureFieldProps = {
  label: string;
  /** What is chosen now, or what stands in its place. */
  shown: ReactNode;
  shape: PictureShape;
  leastPixels: number;
  url: string | null;
  onChange: (dataUrl: string | null) => void;
};

const UNREADABLE = "The browser cannot read this file. Choose a JPEG, PNG or WebP picture.";

/** Chooses a picture and cuts a square out of it. */
export function PictureField({ label, shown, shape, leastPixels, url, onChange }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<HTMLImageElement | null>(null);
  const [refused, setRefused] = useState<string | null>(null);

  async function choose({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const file = target.files?.[0];
    // So that the same file can be chosen again.
    target.value = "";
    if (file === undefined) return;
    const read = await readPicture(URL.createObjectURL(file)).catch(() => null);
    const wrong = read === null ? UNREADABLE : refusePicture(sizeOf(read), leastPixels);
    setRefused(wrong);
    if (wrong === null) setPicture(read);
  }

  function close(): void {
    if (picture !== null) URL.revokeObjectURL(picture.src);
    setPicture(null);
  }

  return (
    <Field invalid={refused !== null}>
      <FieldLabel>{label}</FieldLabel>
      <div className="flex flex-wrap items-center gap-3">
        {shown}
        <FieldControl>
          <input
            ref={input}
            type="file"
            accept="image/jpeg,image/png,image/webp,image/heic"
            className="sr-only"
            tabIndex={-1}
            onChange={(event) => void choose(event)}
          />
        </FieldControl>
        <Button variant="outline" size="sm" onClick={() => input.current?.click()}>
          <ImageUp aria-hidden="true" />
          {url === null ? "Choose a picture" : "Choose another"}
        </Button>
        {url !== null && (
          <Button variant="ghost" size="sm" onClick={() => onChange(null)}>
            <Trash2 aria-hidden="true" />
            Take it off
          </Button>
        )}
      </div>
      <FieldDescription>
        At least {leastPixels} by {leastPixels} pixels; it is cropped to a square.
      </FieldDescription>
      <FieldError>{refused}</FieldError>
      {picture !== null && (
        <CropDialog
          picture={picture}
          shape={shape}
          leastPixels={leastPixels}
          onCancel={close}
          onDone={(cropped) => {
            onChange(cropped);
            close();
          }}
        />
      )}
    </Field>
  );
}

function sizeOf({ naturalWidth, naturalHeight }: HTMLImageElement) {
  return { width: naturalWidth, height: naturalHeight };
}
