"use client";

import { UNDO_MS, UNDO_OFF, UNDO_SEND } from "@/components/composer/undo-send";
import { useStoredChoice } from "@/components/data/fields/use-stored-choice";
import { OptionSelect } from "@/components/settings/option-select";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";

const ON = "on";
const CHOICES = [
  { value: ON, label: `For ${UNDO_MS / 1000} seconds` },
  { value: UNDO_OFF, label: "Off" },
];

/** Whether the user can take back a message that was just sent. */
export function UndoSend() {
  const [choice, choose] = useStoredChoice(UNDO_SEND);
  return (
    <Card className="max-w-xl">
      <CardHeader>
        <CardTitle>Writing</CardTitle>
        <CardDescription>These preferences apply to you, in this browser.</CardDescription>
      </CardHeader>
      <CardContent>
        <OptionSelect
          name="Undo send"
          description="A message leaves after this time, or immediately when you leave the tab. Until then, Undo and Ctrl+Z put it back into the composer. When off, messages leave immediately."
          value={choice ?? ON}
          choices={CHOICES}
          disabled={false}
          onChange={choose}
        />
      </CardContent>
    </Card>
  );
}
