import type { MessageView } from "@/lib/messaging/messages/message-view";

/** Why a message failed, and what to do. */
export function MessageFailure({ failure }: { failure: NonNullable<MessageView["failure"]> }) {
  const { reason, code, advice, doc_url } = failure;
  return (
    <p className="wrap-anywhere flex basis-full flex-col gap-0.5 pt-0.5">
      <span className="text-destructive-text">
        {reason}{" "}
        <a
          href={doc_url}
          target="_blank"
          rel="noreferrer"
          aria-label={`About error ${code}`}
          className="font-mono underline underline-offset-2"
        >
          ({code})
        </a>
      </span>
      <span>{advice}</span>
    </p>
  );
}
