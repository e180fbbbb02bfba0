"use client";

import { useEffect, useRef, useState } from "react";
import { queryString } from "@/lib/client/query-string";

const TYPING_MS = 300;

type CheckoutPreviewProps = {
  name: string;
  color: string;
  /** An address, or a data URL of what is not saved yet. */
  logo: string | null;
};

/** The checkout as a payer would see it with what stands in the form, saved or not. */
export function CheckoutPreview({ name, color, logo }: CheckoutPreviewProps) {
  const address = `/api/payment-settings/preview${queryString({
    name: name.trim() || "Your name",
    color: /^#[0-9a-f]{6}$/i.test(color) ? color : undefined,
    logo_url: logo?.startsWith("http") ? logo : undefined,
    chosen_logo: logo?.startsWith("data:") ? 1 : undefined,
  })}`;
  const [shown, setShown] = useState(address);
  const frame = useRef<HTMLIFrameElement>(null);

  // A picture that is not saved has no address: it is put into the page here, which is of our own origin.
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
          title="Preview of the checkout"
          src={shown}
          onLoad={showChosenLogo}
          className="block h-104 w-full"
        />
      </div>
      <figcaption className="text-muted-foreground text-xs">
        A preview with a sample payment; it follows what you type.
      </figcaption>
    </figure>
  );
}
