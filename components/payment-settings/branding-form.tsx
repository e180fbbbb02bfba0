"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ImageField } from "@/components/contact-cards/image-field";
import { FailureNote } from "@/components/data/failure-note";
import { toast } from "@/components/data/toast";
import { type Branding, brandingOf, changesOf } from "@/components/payment-settings/branding";
import { CheckoutLogo } from "@/components/payment-settings/checkout-logo";
import { CheckoutPreview } from "@/components/payment-settings/checkout-preview";
import { ColorField } from "@/components/payment-settings/color-field";
import { TextField } from "@/components/payments/text-field";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { PaymentSettings } from "@/lib/payments/checkout/payment-settings";

type BrandingFormProps = { initial: PaymentSettings; mayManage: boolean };

const LOGO_LEAST_PIXELS = 128;

/** The branding of the checkout page, with a live preview. */
export function BrandingForm({ initial, mayManage }: BrandingFormProps) {
  const [saved, setSaved] = useState(brandingOf(initial));
  const [fields, setFields] = useState(saved);
  const change = (part: Partial<Branding>) => setFields((known) => ({ ...known, ...part }));
  const save = useMutation<PaymentSettings, ApiFailure>({
    mutationFn: () => apiFetch("/api/payment-settings", { method: "PATCH", body: changesOf(saved, fields) }),
    onSuccess: (settings) => {
      setSaved(brandingOf(settings));
      setFields(brandingOf(settings));
      toast.success("Checkout branding saved");
    },
  });
  const hasChanged = Object.keys(changesOf(saved, fields)).length > 0;

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate();
  }

  return (
    <section aria-labelledby="branding" className="flex flex-col gap-4">
      <h2 id="branding" className="font-semibold text-sm">
        Checkout page
      </h2>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <form onSubmit={submit} className="min-w-0 rounded-xl border bg-card p-5 shadow-xs">
          <fieldset disabled={!mayManage} className="flex min-w-0 flex-col gap-5">
            <legend className="sr-only">Checkout branding</legend>
            <TextField
              label="Name"
              dir="auto"
              required
              maxLength={100}
              note="Shown at the top of the checkout page."
              value={fields.name}
              onChange={(name) => change({ name })}
            />
            <TextField
              label="URL slug"
              required
              maxLength={50}
              pattern="[a-z0-9]+(-[a-z0-9]+)*"
              title="Use lowercase letters, digits and single hyphens"
              className="font-mono text-xs"
              note={
                <span className="wrap-anywhere">
                  {initial.checkout_base}
                  {fields.slug}. Existing links keep working.
                </span>
              }
              value={fields.slug}
              onChange={(slug) => change({ slug })}
            />
            <ColorField color={fields.color} onChange={(color) => change({ color })} />
            {mayManage && (
              <ImageField
                label="Logo"
                shape="square"
                leastPixels={LOGO_LEAST_PIXELS}
                shown={<CheckoutLogo name={fields.name} color={fields.color} url={fields.logo} />}
                url={fields.logo}
                onChange={(logo) => change({ logo })}
              />
            )}
            <FailureNote title="The branding was not saved" failure={save.error} />
            {mayManage && (
              <div className="flex gap-2">
                <Button type="submit" disabled={!hasChanged || save.isPending}>
                  {save.isPending && <Spinner />}
                  Save
                </Button>
                <Button variant="ghost" disabled={!hasChanged} onClick={() => setFields(saved)}>
                  Undo
                </Button>
              </div>
            )}
          </fieldset>
        </form>
        <CheckoutPreview name={fields.name} color={fields.color} logo={fields.logo} />
      </div>
    </section>
  );
}
