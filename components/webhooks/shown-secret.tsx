"use client";

import { TriangleAlert } from "lucide-react";
import { CodeTabs } from "@/components/data/code-tabs";
import { CopyOnce } from "@/components/data/copy-once";
import { receiveSnippets } from "@/components/snippets/webhook-snippets";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";

type ShownSecretProps = { title: string; secret: string; onDone: () => void };

/** A signing secret, the only time it is seen, and a server that checks with it. */
export function ShownSecret({ title, secret, onDone }: ShownSecretProps) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <DialogHeader>
        <DialogTitle>{title}</DialogTitle>
        <DialogDescription>
          Copy the signing secret now; your server checks with it that events come from here.
        </DialogDescription>
      </DialogHeader>
      <CopyOnce value={secret} label="signing secret" testId="signing-secret" />
      <Alert variant="warning">
        <TriangleAlert aria-hidden="true" />
        <AlertTitle>It is not shown again</AlertTitle>
        <AlertDescription>A lost secret is rotated: the endpoint gets another one.</AlertDescription>
      </Alert>
      <div className="flex min-w-0 flex-col gap-2">
        <p className="font-medium text-sm">Check the signature</p>
        <CodeTabs label="check a webhook's signature" snippets={receiveSnippets()} />
      </div>
      <DialogFooter>
        <Button onClick={onDone}>Done</Button>
      </DialogFooter>
    </div>
  );
}
