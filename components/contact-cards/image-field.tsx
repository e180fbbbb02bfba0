"use client";

import { ImageUp, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import type { ImageShape } from "@/components/contact-cards/crop-dialog";
import { readImage, refuseImage } from "@/components/contact-cards/crop-image";
import { untilLoaded } from "@/components/data/until-loaded";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldError, FieldLabel } from "@/components/ui/field";

// The dialog brings its own cropping library and opens only after a file is chosen.
const CropDialog = dynamic(
  () => untilLoaded(async () => (await import("@/components/contact-cards/crop-dialog")).CropDialog),
  {
    loading: () => null,
  },
);

type ImageFieldProps = {
  label: string;
  /** The current image or its placeholder. */
  shown: ReactNode;
  shape: ImageShape;
  leastPixels: number;
  url: string | null;
  onChange: (dataUrl: string | null) => void;
};

const UNREADABLE = "This browser can't read the file. Choose a JPEG, PNG or WebP image.";

/** Chooses an image and crops it to a square. */
export function ImageField({ label, shown, shape, leastPixels, url, onChange }: ImageFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [image, setImage] = useState<HTMLImageElement | null>(null);
  const [refused, setRefused] = useState<string | null>(null);

  async function choose(target: HTMLInputElement): Promise<void> {
    const file = target.files?.[0];
    // Resets the input, so that choosing the same file again fires a change event.
    target.value = "";
    if (file === undefined) return;
    const read = await readImage(URL.createObjectURL(file)).catch(() => null);
    const wrong = read === null ? UNREADABLE : refuseImage(sizeOf(read), leastPixels);
    setRefused(wrong);
    if (wrong === null) setImage(read);
  }

  const takeEarly = useEffectEvent(() => {
    if (input.current?.files?.length) void choose(input.current);
  });
  // A file that was chosen before the page's script ran.
  useEffect(() => takeEarly(), []);

  function close(): void {
    if (image !== null) URL.revokeObjectURL(image.src);
    setImage(null);
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
            onChange={({ target }) => void choose(target)}
          />
        </FieldControl>
        <Button variant="outline" size="sm" onClick={() => input.current?.click()}>
          <ImageUp aria-hidden="true" />
          {url === null ? "Choose image" : "Choose another image"}
        </Button>
        {url !== null && (
          <Button variant="ghost" size="sm" onClick={() => onChange(null)}>
            <Trash2 aria-hidden="true" />
            Remove image
          </Button>
        )}
      </div>
      <FieldDescription>
        At least {leastPixels} by {leastPixels} pixels. The image is cropped to a square.
      </FieldDescription>
      <FieldError>{refused}</FieldError>
      {image !== null && (
        <CropDialog
          image={image}
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
