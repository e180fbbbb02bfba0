"use client";

import { Plus } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/payments/create-payment-dialog")).CreatePaymentDialog;

/** Creates a payment request and opens its page. */
export function CreatePayment({ currencies }: { currencies: readonly string[] }) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={{ currencies }}
      trigger={
        <Button>
          <Plus aria-hidden="true" />
          New payment request
        </Button>
      }
    />
  );
}
