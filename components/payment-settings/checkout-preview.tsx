"use client";

import { useEffect, useRef, useState } from "react";
import { queryString } from "@/lib/client/query-string";

const TYPING_MS = 300;

type CheckoutPreviewProps = {
  name: string;
  color: string;
  /** The URL of the saved logo, or a data URL of an unsaved one. */
  logo: string | null;
};

/** The checkout page as payers would see it with the form's current values, saved or not. */
export function CheckoutPreview({ name, color, logo }: CheckoutPreviewProps) {
  const address = `/api/payment-settings/preview${queryString({
    name: name.trim() || "Your name",
    color: /^#[0-9a-f]{6}$/i.test(color) ? color : undefined,
    logo_url: logo?.startsWith("http") ? logo : undefined,
    chosen_logo: logo?.startsWith("data:") ? 1 : undefined,
  })}`;
  const [shown, setShown] = useState(address);
  const frame = useRef<HTMLIFrameElement>(null);

  // An unsaved image has no URL. The preview has the same origin, so the image can be inserted here.
  function showChosenLogo(): void {
    const image = frame.current?.contentDocument?.querySelector<HTMLImageElement>("img.logo");
    if (image && logo?.startsWith("data:")) image.src = logo;
  }
  useEffect(showChosenLogo);

  useEffect(() => {
    const typing = setTimeout(() => setShown(address), TYPING_MS);
    return () => clearTimeout(typing);
  }, [address]);

  return (
    <figure className="flex min-w-0 flex-col gap-2 lg:sticky lg:top-6">
      <div className="overflow-hidden rounded-xl border bg-card shadow-xs">
        <iframe
          ref={frame}
          title="Checkout preview"
          src={shown}
          onLoad={showChosenLogo}
          className="block h-104 w-full"
        />
      </div>
      <figcaption className="text-muted-foreground text-xs">
        Preview with a sample payment. It updates as you type.
      </figcaption>
    </figure>
  );
}
