import type { ComponentProps } from "react";
import { ScheduledMessages } from "@/components/chats/scheduled/scheduled-messages";
import { UnsentMessages } from "@/components/chats/timeline/unsent-messages";

type ThreadEndProps = ComponentProps<typeof UnsentMessages> & { maySend: boolean };

/** The end of a thread, after its messages: those that wait for the server, and those that wait for their time. */
export function ThreadEnd({ maySend, ...unsent }: ThreadEndProps) {
  return (
    <>
      <UnsentMessages {...unsent} />
      <ScheduledMessages chatId={unsent.chatId} maySend={maySend} />
    </>
  );
}
