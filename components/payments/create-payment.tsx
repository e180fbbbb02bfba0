"use client";

import { Plus } from "lucide-react";
import { AddressedDialog } from "@/components/data/dialogs/addressed-dialog";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/payments/create-payment-dialog")).CreatePaymentDialog;

type CreatePaymentProps = {
  currencies: readonly string[];
  /** Whether `?dialog=payment` opens this dialog: only one of a page. */
  isAddressed?: boolean;
};

/** Creates a payment request and opens its page. */
export function CreatePayment({ currencies, isAddressed = false }: CreatePaymentProps) {
  const trigger = (
    <Button>
      <Plus aria-hidden="true" />
      New payment request
    </Button>
  );
  const open = { load, props: { currencies }, trigger };
  return isAddressed ? <AddressedDialog name="payment" {...open} /> : <LazyOpen popup="dialog" {...open} />;
}
