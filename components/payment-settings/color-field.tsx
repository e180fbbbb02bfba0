"use client";

import { CircleCheck, TriangleAlert } from "lucide-react";
import { useId } from "react";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { brandColors, contrast } from "@/lib/payments/checkout/brand-colors";

const COLOR = /^#[0-9a-f]{6}$/i;
const PAGE = "#ffffff";
/** What a control's edge needs against the page (WCAG 2.2, 1.4.11). */
const EDGE_LEAST = 3;

type ColorFieldProps = { color: string; onChange: (color: string) => void };

/** The colour of the checkout's button, and whether it can be read and seen. */
export function ColorField({ color, onChange }: ColorFieldProps) {
  const pickerId = useId();
  const isWhole = COLOR.test(color);
  return (
    <Field>
      <FieldLabel>Colour</FieldLabel>
      <div className="flex items-center gap-2">
        <input
          id={pickerId}
          type="color"
          aria-label="Pick a colour"
          className="h-8.5 w-11 shrink-0 cursor-pointer rounded-md border bg-card p-1 pointer-coarse:h-10"
          value={isWhole ? color : brandColors(null).brand}
          onChange={(event) => onChange(event.target.value)}
        />
        <FieldControl>
          <Input
            className="w-32 font-mono text-xs"
            placeholder="#1a2b3c"
            maxLength={7}
            pattern="#[0-9a-fA-F]{6}"
            title="as #1a2b3c"
            autoComplete="off"
            value={color}
            onChange={(event) => onChange(event.target.value.trim())}
          />
        </FieldControl>
      </div>
      <FieldDescription>
        <ColorAdvice color={isWhole ? color : null} isTyped={color !== ""} />
      </FieldDescription>
    </Field>
  );
}

function ColorAdvice({ color, isTyped }: { color: string | null; isTyped: boolean }) {
  if (color === null) return isTyped ? "Six hexadecimal digits, as #1a2b3c." : "Empty is a dark neutral.";
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
        The button's text is {onBrand === PAGE ? "white" : "black"}, contrast {text} to 1.
        {isSeen ? "" : " The colour itself is faint on a white page: a darker one is seen sooner."}
      </span>
    </span>
  );
}
