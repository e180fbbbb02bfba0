"use client";

import { Send } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import type { SendIntoChatProps } from "@/components/payments/send-into-chat";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/payments/send-into-chat")).SendIntoChat;

/** Opens the dialog that sends a prepared message to a chat. */
export function SendIntoChatButton(props: SendIntoChatProps) {
  const { label, disabled = false } = props;
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button size="sm" disabled={disabled}>
          <Send aria-hidden="true" />
          {label}
        </Button>
      }
    />
  );
}
