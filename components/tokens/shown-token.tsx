"use client";

import { TriangleAlert } from "lucide-react";
import { CodeTabs } from "@/components/data/code-tabs";
import { CopyButton } from "@/components/data/copy-button";
import { sendMessageSnippets } from "@/components/snippets/send-message-snippets";
import type { SnippetPlace } from "@/components/snippets/snippet-place";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import type { ApiToken } from "@/lib/identity/tokens/api-token";

export type GeneratedToken = { token: string; api_token: ApiToken };

type ShownTokenProps = { generated: GeneratedToken; start: SnippetPlace; onDone: () => void };

/** The token itself, the only time it is seen, and a command that works with it. */
export function ShownToken({ generated, start, onDone }: ShownTokenProps) {
  const { curl } = sendMessageSnippets(start, generated.token);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <DialogHeader>
        <DialogTitle>“{generated.api_token.name}” is ready</DialogTitle>
        <DialogDescription>Copy the token now and keep it where your program finds it.</DialogDescription>
      </DialogHeader>
      <div className="flex items-center justify-between gap-2 rounded-lg border bg-muted/60 py-2 pr-2 pl-3.5">
        <code data-testid="new-token" className="wrap-anywhere font-mono text-xs">
          {generated.token}
        </code>
        <CopyButton
          value={generated.token}
          label="token"
          variant="outline"
          size="icon-sm"
          // The form that had the focus is gone from the dialog.
          autoFocus
        />
      </div>
      <Alert variant="warning">
        <TriangleAlert aria-hidden="true" />
        <AlertTitle>It is not shown again</AlertTitle>
        <AlertDescription>
          Only a fingerprint is stored. A lost token is revoked and replaced.
        </AlertDescription>
      </Alert>
      <div className="flex min-w-0 flex-col gap-2">
        <p className="font-medium text-sm">Try it</p>
        <CodeTabs label="send a message with this token" snippets={{ curl }} />
      </div>
      <DialogFooter>
        <Button onClick={onDone}>Done</Button>
      </DialogFooter>
    </div>
  );
}
