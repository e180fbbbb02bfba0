"use client";

import { Check } from "lucide-react";
import { Grouped } from "@/components/data/grouped";
import type { LoadedPopup } from "@/components/data/lazy-open";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import type { Phone } from "@/lib/simulator/phone";

export type PhonePickerProps = {
  phones: readonly Phone[];
  open: readonly string[];
  onShow: (handle: string) => void;
};

/** Shows another phone of the account on the wall. */
export function PhonePicker({ phones, open, onShow, trigger }: PhonePickerProps & LoadedPopup) {
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="max-h-80">
        {phones.map(({ handle, name }) => (
          <DropdownMenuItem key={handle} onSelect={() => onShow(handle)}>
            <span className="min-w-0 flex-1">
              <span className="block truncate">{name}</span>
              <span className="block text-muted-foreground text-xs tabular-nums">
                <Grouped>{handle}</Grouped>
              </span>
            </span>
            {open.includes(handle) && <Check aria-label="On the wall" />}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
