"use client";

import { UserX } from "lucide-react";
import type { EraseCustomerProps } from "@/components/customers/erase-customer";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/customers/erase-customer")).EraseCustomer;

/** Opens the dialog that erases a customer. */
export function EraseCustomerButton(props: EraseCustomerProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm">
          <UserX aria-hidden="true" />
          Erase customer…
        </Button>
      }
    />
  );
}
