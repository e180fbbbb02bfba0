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
      <AlertDialog open={asked !== null} onOpenChange={() => setAsked(null)}>
        <AlertDialogContent>
          <AlertDialogHeader>
            <AlertDialogTitle>Erase messages older than {asked !== null && nameOf(asked)}?</AlertDialogTitle>
            <AlertDialogDescription>
              Trunkline erases the content of older messages in this account now, and of newer messages when
              they reach this age. You can't undo this.
            </AlertDialogDescription>
          </AlertDialogHeader>
          <AlertDialogFooter>
            <AlertDialogCancel>Cancel</AlertDialogCancel>
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
