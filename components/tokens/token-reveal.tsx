"use client";

import { TriangleAlert } from "lucide-react";
import { CodeTabs } from "@/components/data/copy/code-tabs";
import { CopyOnce } from "@/components/data/copy/copy-once";
import type { ShownSecret } from "@/components/data/dialogs/secret-dialog";
import { sendMessageSnippets } from "@/components/snippets/send-message-snippets";
import type { SnippetContext } from "@/components/snippets/snippet-context";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import type { ApiToken } from "@/lib/identity/tokens/api-token";

export type GeneratedToken = { token: string; api_token: ApiToken };

/** The token as `SecretDialog` guards it. */
export function shownToken(value: string): ShownSecret {
  return { value, label: "token", remedy: "If you lose the token, roll it to get a new one." };
}

type TokenRevealProps = { generated: GeneratedToken; start: SnippetContext; onDone: () => void };

/** A new token, shown only once, with an example command that uses it. */
export function TokenReveal({ generated, start, onDone }: TokenRevealProps) {
  const { curl } = sendMessageSnippets(start, generated.token);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <DialogHeader>
        <DialogTitle>“{generated.api_token.name}” is ready</DialogTitle>
        <DialogDescription>Copy the token now and store it where your program can read it.</DialogDescription>
      </DialogHeader>
      <CopyOnce value={generated.token} label="token" testId="new-token" />
      <Alert variant="warning">
        <TriangleAlert aria-hidden="true" />
        <AlertTitle>The token is not shown again</AlertTitle>
        <AlertDescription>
          Trunkline stores only a hash of the token. If you lose the token, roll it to get a new one.
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
