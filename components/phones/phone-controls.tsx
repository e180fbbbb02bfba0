"use client";

import { BatteryWarning, Plane, SlidersHorizontal, X } from "lucide-react";
import { useId } from "react";
import { useOpenPhone } from "@/components/phones/phone-context";
import { Button } from "@/components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { Switch } from "@/components/ui/switch";
import type { Phone } from "@/lib/simulator/phone";

type PhoneControlsProps = {
  hasApps: boolean;
  onHasApps: (hasApps: boolean) => void;
  maySend: boolean;
  onClose: (() => void) | null;
};

/** The controls below a phone: its name, its connection and its behavior. */
export function PhoneControls({ hasApps, onHasApps, maySend, onClose }: PhoneControlsProps) {
  const { phone, requests, run } = useOpenPhone();
  const isInAirplaneMode = phone.connection === "airplane_mode";
  const isDead = phone.connection === "battery_dead";
  const connect = (connection: Phone["connection"]) => void run(requests.change({ connection }));
  return (
    <div className="mx-auto flex w-full items-center gap-1 px-1 sm:w-76">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium text-sm">{phone.name}</p>
        <p className="truncate text-muted-foreground text-xs tabular-nums">{phone.handle}</p>
      </div>
      {maySend && (
        <>
          <Button
            variant={isInAirplaneMode ? "secondary" : "ghost"}
            size="icon-sm"
            aria-pressed={isInAirplaneMode}
            aria-label="Airplane mode"
            title="Airplane mode: messages wait until it is off"
            disabled={isDead}
            onClick={() => connect(isInAirplaneMode ? "online" : "airplane_mode")}
          >
            <Plane />
          </Button>
          <Button
            variant={isDead ? "secondary" : "ghost"}
            size="icon-sm"
            aria-pressed={isDead}
            aria-label="Battery dead"
            title="Battery dead: nothing is delivered"
            onClick={() => connect(isDead ? "online" : "battery_dead")}
          >
            <BatteryWarning />
          </Button>
          <Popover>
            <PopoverTrigger asChild>
              <Button variant="ghost" size="icon-sm" aria-label="Phone settings" title="Phone settings">
                <SlidersHorizontal />
              </Button>
            </PopoverTrigger>
            <PopoverContent align="end" className="flex w-72 flex-col gap-3">
              <Settings hasApps={hasApps} onHasApps={onHasApps} />
            </PopoverContent>
          </Popover>
        </>
      )}
      {onClose !== null && (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Hide phone of ${phone.name}`}
          title="Hide"
          onClick={onClose}
        >
          <X />
        </Button>
      )}
    </div>
  );
}

const PLATFORMS: readonly { value: Phone["platform"]; label: string }[] = [
  { value: "iphone", label: "iMessage and SMS" },
  { value: "android_rcs", label: "RCS and SMS" },
  { value: "sms_only", label: "SMS only" },
];

function Settings({ hasApps, onHasApps }: Pick<PhoneControlsProps, "hasApps" | "onHasApps">) {
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
