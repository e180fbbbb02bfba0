"use client";

import { TriangleAlert } from "lucide-react";
import { CodeTabs } from "@/components/data/copy/code-tabs";
import { CopyOnce } from "@/components/data/copy/copy-once";
import type { ShownSecret } from "@/components/data/dialogs/secret-dialog";
import { webhookServerSnippets } from "@/components/snippets/webhook-snippets";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";

/** The signing secret as `SecretDialog` guards it. */
export function shownSigningSecret(value: string): ShownSecret {
  return { value, label: "signing secret", remedy: "If you lose the secret, rotate it to get a new one." };
}

type SecretRevealProps = { title: string; secret: string; onDone: () => void };

/** A signing secret, shown only once, with example code that verifies signatures. */
export function SecretReveal({ title, secret, onDone }: SecretRevealProps) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <DialogHeader>
        <DialogTitle>{title}</DialogTitle>
        <DialogDescription>
          Copy the signing secret now. Your server uses the secret to verify that events come from Trunkline.
        </DialogDescription>
      </DialogHeader>
      <CopyOnce value={secret} label="signing secret" testId="signing-secret" />
      <Alert variant="warning">
        <TriangleAlert aria-hidden="true" />
        <AlertTitle>The secret is not shown again</AlertTitle>
        <AlertDescription>If you lose the secret, rotate it to get a new one.</AlertDescription>
      </Alert>
      <div className="flex min-w-0 flex-col gap-2">
        <p className="font-medium text-sm">Verify the signature</p>
        <CodeTabs label="verify a webhook's signature" snippets={webhookServerSnippets()} />
      </div>
      <DialogFooter>
        <Button onClick={onDone}>Done</Button>
      </DialogFooter>
    </div>
  );
}
