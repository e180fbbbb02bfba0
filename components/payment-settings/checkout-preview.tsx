"use client";

import { useEffect, useState } from "react";
import { queryString } from "@/lib/client/query-string";

const TYPING_MS = 300;

type CheckoutPreviewProps = { name: string; color: string; logoUrl: string };

/** The checkout as a payer would see it with what stands in the form, saved or not. */
export function CheckoutPreview({ name, color, logoUrl }: CheckoutPreviewProps) {
  const address = `/api/payment-settings/preview${queryString({
    name: name.trim() || "Your name",
    color: /^#[0-9a-f]{6}$/i.test(color) ? color : undefined,
    logo_url: URL.canParse(logoUrl) ? logoUrl : undefined,
  })}`;
  const [shown, setShown] = useState(address);

  useEffect(() => {
    const typing = setTimeout(() => setShown(address), TYPING_MS);
    return () => clearTimeout(typing);
  }, [address]);

  return (
    <figure className="flex min-w-0 flex-col gap-2 lg:sticky lg:top-6">
      <div className="overflow-hidden rounded-xl border bg-card shadow-xs">
        <iframe title="Preview of the checkout" src={shown} className="block h-104 w-full" />
      </div>
      <figcaption className="text-muted-foreground text-xs">
        A preview with a sample payment; it follows what you type.
      </figcaption>
    </figure>
  );
}
