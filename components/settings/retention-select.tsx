"use client";

import { useState } from "react";
import { OptionSelect } from "@/components/settings/option-select";
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

type RetentionSelectProps = {
  minutes: number | null;
  disabled: boolean;
  onChange: (minutes: number | null) => void;
};

const FOREVER = "forever";
const OFFERED = [60, 120, 240, 480, 720, 1440];

/** After how long the content of messages goes. What is erased does not come back, so a shorter time is confirmed. */
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
        description="Erases messages and their edits everywhere once they are older: events, deliveries, kept answers, the request log, opt-out evidence (its keyword stays) and the simulator."
        value={minutes === null ? FOREVER : String(minutes)}
        choices={[
          { value: FOREVER, label: "Kept" },
          ...offered.map((choice) => ({ value: String(choice), label: `Erased after ${nameOf(choice)}` })),
        ]}
        disabled={disabled}
        onChange={choose}
      />
      <AlertDialog open={asked !== null} onOpenChange={() => setAsked(null)}>
        <AlertDialogContent>
          <AlertDialogHeader>
            <AlertDialogTitle>Erase what is older than {asked !== null && nameOf(asked)}?</AlertDialogTitle>
            <AlertDialogDescription>
              The content of older messages of this account goes now, and of others as they get older. It
              cannot be brought back.
            </AlertDialogDescription>
          </AlertDialogHeader>
          <AlertDialogFooter>
            <AlertDialogCancel>Leave it</AlertDialogCancel>
            <Button
              variant="destructive"
              onClick={() => {
                onChange(asked);
                setAsked(null);
              }}
            >
              Erase
            </Button>
          </AlertDialogFooter>
        </AlertDialogContent>
      </AlertDialog>
    </>
  );
}

function nameOf(minutes: number): string {
  if (minutes % 60 !== 0) return `${minutes} minutes`;
  return minutes === 60 ? "1 hour" : `${minutes / 60} hours`;
}
