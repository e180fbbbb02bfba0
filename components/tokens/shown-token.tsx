"use client";

import { TriangleAlert } from "lucide-react";
import { CodeTabs } from "@/components/data/code-tabs";
import { CopyOnce } from "@/components/data/copy-once";
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
      <CopyOnce value={generated.token} label="token" testId="new-token" />
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
