"use client";

import { BatteryWarning, Plane, SlidersHorizontal, X } from "lucide-react";
import { Grouped } from "@/components/data/grouped";
import { LazyOpen } from "@/components/data/lazy-open";
import { useOpenPhone } from "@/components/phones/phone-context";
import { Button } from "@/components/ui/button";
import type { Phone } from "@/lib/simulator/phone";

const loadSettings = async () => (await import("@/components/phones/phone-settings")).PhoneSettings;

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
        <p className="truncate text-muted-foreground text-xs tabular-nums">
          <Grouped>{phone.handle}</Grouped>
        </p>
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
          <LazyOpen
            popup="dialog"
            load={loadSettings}
            props={{ hasApps, onHasApps }}
            trigger={
              <Button variant="ghost" size="icon-sm" aria-label="Phone settings" title="Phone settings">
                <SlidersHorizontal />
              </Button>
            }
          />
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
