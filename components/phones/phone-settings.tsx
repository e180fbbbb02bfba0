"use client";

import { useId } from "react";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { useOpenPhone } from "@/components/phones/phone-context";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { Switch } from "@/components/ui/switch";
import type { Phone } from "@/lib/simulator/phone";

const PLATFORMS: readonly { value: Phone["platform"]; label: string }[] = [
  { value: "iphone", label: "iMessage and SMS" },
  { value: "android_rcs", label: "RCS and SMS" },
  { value: "sms_only", label: "SMS only" },
];

type PhoneSettingsProps = { hasApps: boolean; onHasApps: (hasApps: boolean) => void };

/** The settings of a phone: its services, read receipts and apps. */
export function PhoneSettings({ trigger, ...settings }: PhoneSettingsProps & LoadedPopup) {
  return (
    <Popover defaultOpen>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent align="end" className="flex w-72 flex-col gap-3">
        <Settings {...settings} />
      </PopoverContent>
    </Popover>
  );
}

function Settings({ hasApps, onHasApps }: PhoneSettingsProps) {
  const { phone, requests, run } = useOpenPhone();
  return (
    <>
      <label className="flex flex-col gap-1">
        Services
        <select
          value={phone.platform}
          className="h-8.5 rounded-md border border-input bg-background px-2"
          onChange={({ target }) =>
            void run(requests.change({ platform: target.value as Phone["platform"] }))
          }
        >
          {PLATFORMS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <Toggle
        label="Send read receipts"
        checked={phone.read_receipts}
        onChange={(isOn) => void run(requests.change({ read_receipts: isOn }))}
      />
      <Toggle label="Apps of cards installed" checked={hasApps} onChange={onHasApps} />
      {phone.fault !== null && (
        <p className="text-muted-foreground text-xs">
          Messages to this phone are subject to the fault “{phone.fault}”.
        </p>
      )}
    </>
  );
}

type ToggleProps = { label: string; checked: boolean; onChange: (isOn: boolean) => void };

function Toggle({ label, checked, onChange }: ToggleProps) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-3">
      <label htmlFor={id}>{label}</label>
      <Switch id={id} checked={checked} onCheckedChange={onChange} />
    </div>
  );
}
