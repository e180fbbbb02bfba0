"use client";

import { CircleCheck, TriangleAlert } from "lucide-react";
import { useId } from "react";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { brandColors, contrast } from "@/lib/payments/checkout/brand-colors";

const COLOR = /^#[0-9a-f]{6}$/i;
const PAGE = "#ffffff";
/** The minimum contrast of a control's edge with the page (WCAG 2.2, 1.4.11). */
const EDGE_LEAST = 3;

type ColorFieldProps = { color: string; onChange: (color: string) => void };

/** The color of the checkout's button, with its contrast. */
export function ColorField({ color, onChange }: ColorFieldProps) {
  const pickerId = useId();
  const isValid = COLOR.test(color);
  return (
    <Field>
      <FieldLabel>Color</FieldLabel>
      <div className="flex items-center gap-2">
        <input
          id={pickerId}
          type="color"
          aria-label="Pick a color"
          className="h-8.5 w-11 shrink-0 cursor-pointer rounded-md border bg-card p-1 pointer-coarse:h-10"
          value={isValid ? color : brandColors(null).brand}
          onChange={(event) => onChange(event.target.value)}
        />
        <FieldControl>
          <Input
            className="w-32 font-mono text-xs"
            placeholder="#1a2b3c"
            maxLength={7}
            pattern="#[0-9a-fA-F]{6}"
            title="Use six hexadecimal digits, for example #1a2b3c"
            autoComplete="off"
            value={color}
            onChange={(event) => onChange(event.target.value.trim())}
          />
        </FieldControl>
      </div>
      <FieldDescription>
        <ColorAdvice color={isValid ? color : null} isTyped={color !== ""} />
      </FieldDescription>
    </Field>
  );
}

function ColorAdvice({ color, isTyped }: { color: string | null; isTyped: boolean }) {
  if (color === null)
    return isTyped
      ? "Enter six hexadecimal digits, for example #1a2b3c."
      : "Leave empty for a dark neutral color.";
  const { brand, onBrand } = brandColors(color);
  const text = contrast(brand, onBrand).toFixed(1);
  const isSeen = contrast(brand, PAGE) >= EDGE_LEAST;
  const Icon = isSeen ? CircleCheck : TriangleAlert;
  return (
    <span className="flex items-start gap-1.5">
      <Icon
        aria-hidden="true"
        className={isSeen ? "mt-0.5 size-3.5 text-success" : "mt-0.5 size-3.5 text-warning"}
      />
      <span>
        Button text: {onBrand === PAGE ? "white" : "black"}, contrast {text} to 1.
        {isSeen ? "" : " This color has low contrast on a white page. Choose a darker color."}
      </span>
    </span>
  );
}
