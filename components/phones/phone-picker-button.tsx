"use client";

import { Smartphone } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import type { PhonePickerProps } from "@/components/phones/phone-picker";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/phones/phone-picker")).PhonePicker;

/** Opens the menu of the account's phones. */
export function PhonePickerButton(props: PhonePickerProps) {
  const { phones } = props;
  return (
    <LazyOpen
      popup="menu"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm" disabled={phones.length === 0}>
          <Smartphone />
          Show phone
        </Button>
      }
    />
  );
}
