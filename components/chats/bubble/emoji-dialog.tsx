"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Field, FieldControl, FieldError, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

const OFFERED = [..."🎉🙏🔥👏😍😮😢😡🤔👀💯✅❌🚀🤝🥳😅🙌💪☕"];

type EmojiDialogProps = { onClose: () => void; onChoose: (emoji: string) => void };

/** Picks any single emoji as a reaction. */
export function EmojiDialog({ onClose, onChoose }: EmojiDialogProps) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const emoji = text.trim();
    if (isOneCharacter(emoji)) onChoose(emoji);
    else setWrong(true);
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="sm:max-w-sm">
        <DialogHeader>
          <DialogTitle>React with an emoji</DialogTitle>
          <DialogDescription>The emoji replaces the current reaction to this message.</DialogDescription>
        </DialogHeader>
        <ul className="grid grid-cols-5 gap-1">
          {OFFERED.map((emoji) => (
            <li key={emoji}>
              <Button
                variant="ghost"
                className="w-full text-xl"
                aria-label={`React with ${emoji}`}
                onClick={() => onChoose(emoji)}
              >
                {emoji}
              </Button>
            </li>
          ))}
        </ul>
        <form onSubmit={submit} className="flex items-end gap-2">
          <Field invalid={wrong}>
            <FieldLabel>Another emoji</FieldLabel>
            <FieldControl>
              <Input
                value={text}
                maxLength={64}
                autoComplete="off"
                onChange={({ target }) => {
                  setText(target.value);
                  setWrong(false);
                }}
              />
            </FieldControl>
            <FieldError>{wrong && "Enter exactly one emoji."}</FieldError>
          </Field>
          <Button type="submit" variant="outline" disabled={text.trim() === ""}>
            React
          </Button>
        </form>
      </DialogContent>
    </Dialog>
  );
}

// The API rejects letters. This check catches two emoji, or a word.
function isOneCharacter(text: string): boolean {
  const [first, ...others] = new Intl.Segmenter().segment(text);
  return first !== undefined && others.length === 0 && /\p{Emoji}/u.test(text);
}
