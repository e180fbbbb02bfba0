"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { untilLoaded } from "@/components/data/until-loaded";
import { OptionSelect } from "@/components/settings/option-select";

const ConfirmRetention = dynamic(
  () => untilLoaded(async () => (await import("@/components/settings/confirm-retention")).ConfirmRetention),
  { loading: () => null },
);

type RetentionSelectProps = {
  minutes: number | null;
  disabled: boolean;
  onChange: (minutes: number | null) => void;
};

const FOREVER = "forever";
const OFFERED = [60, 120, 240, 480, 720, 1440];

/**
 * Selects the retention period of message content. Erased content can't be restored, so a shorter period needs a
 * confirmation.
 */
export function RetentionSelect({ minutes, disabled, onChange }: RetentionSelectProps) {
  const [asked, setAsked] = useState<number | null>(null);
  const offered = minutes === null || OFFERED.includes(minutes) ? OFFERED : [...OFFERED, minutes];

  function choose(value: string): void {
    const chosen = value === FOREVER ? null : Number(value);
    if (chosen === null || (minutes !== null && chosen >= minutes)) onChange(chosen);
    else setAsked(chosen);
  }

  return (
    <>
      <OptionSelect
        name="Message retention"
        description="Erases older messages and their edits everywhere: in events, deliveries, stored responses, the request log, opt-out evidence (except the keyword) and the simulator."
        value={minutes === null ? FOREVER : String(minutes)}
        choices={[
          { value: FOREVER, label: "Kept indefinitely" },
          ...offered.map((choice) => ({ value: String(choice), label: `Erased after ${nameOf(choice)}` })),
        ]}
        disabled={disabled}
        onChange={choose}
      />
      {asked !== null && (
        <ConfirmRetention
          age={nameOf(asked)}
          onClose={() => setAsked(null)}
          onConfirm={() => {
            onChange(asked);
            setAsked(null);
          }}
        />
      )}
    </>
  );
}

function nameOf(minutes: number): string {
  if (minutes % 60 !== 0) return `${minutes} minutes`;
  return minutes === 60 ? "1 hour" : `${minutes / 60} hours`;
}
