"use client";

import { Plus } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import type { AddPhoneProps } from "@/components/phones/add-phone";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/phones/add-phone")).AddPhone;

/** Opens the form that adds a simulated phone. */
export function AddPhoneButton(props: AddPhoneProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button size="sm">
          <Plus />
          Add phone
        </Button>
      }
    />
  );
}
