"use client";

import { useState } from "react";
import Cropper from "react-easy-crop";
import { cropImage, maxZoomOf, type Square } from "@/components/contact-cards/crop-image";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";

/** The shape that the cropped image is shown in. */
export type ImageShape = keyof typeof SHOWN;

const SHOWN = {
  round: { note: "Phones show the photo as a circle.", cropShape: "round" },
  square: { note: "The checkout shows the whole square.", cropShape: "rect" },
} as const;

type CropDialogProps = {
  image: HTMLImageElement;
  shape: ImageShape;
  leastPixels: number;
  onDone: (dataUrl: string) => void;
  onCancel: () => void;
};

/** Crops an image to a square, by mouse or keyboard. */
export function CropDialog({ image: photo, shape, leastPixels, onDone, onCancel }: CropDialogProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [square, setSquare] = useState<Square | null>(null);
  const most = maxZoomOf({ width: photo.naturalWidth, height: photo.naturalHeight }, leastPixels);
  return (
    <Dialog open onOpenChange={(open) => !open && onCancel()}>
      <DialogContent className="sm:max-w-md">
        <DialogHeader>
          <DialogTitle>Crop to a square</DialogTitle>
          <DialogDescription>
            Drag the image or move it with the arrow keys. {SHOWN[shape].note}
          </DialogDescription>
        </DialogHeader>
        <div className="relative h-72 overflow-hidden rounded-lg bg-black">
          <Cropper
            image={photo.src}
            crop={crop}
            zoom={zoom}
            maxZoom={most}
            aspect={1}
            cropShape={SHOWN[shape].cropShape}
            showGrid={false}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropAreaChange={(_, pixels) => setSquare(pixels)}
            mediaProps={{ alt: "Image to crop" }}
            cropperProps={{
              role: "application",
              "aria-label": "Crop area. Use the arrow keys to move the image.",
            }}
          />
        </div>
        {most > 1 && (
          <Field>
            <FieldLabel>Zoom</FieldLabel>
            <FieldControl>
              <input
                type="range"
                min={1}
                max={most}
                step={0.01}
                value={zoom}
                className="accent-primary"
                onChange={(event) => setZoom(Number(event.target.value))}
              />
            </FieldControl>
          </Field>
        )}
        <DialogFooter>
          <Button variant="outline" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            disabled={square === null}
            onClick={() => square && onDone(cropImage(photo, square, leastPixels))}
          >
            Use image
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
