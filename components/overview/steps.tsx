import Link from "next/link";
import type { ReactNode } from "react";
import { CodeTabs, type SnippetLanguage } from "@/components/data/code-tabs";
import { useMay } from "@/components/shell/rights";
import { answerSnippets } from "@/components/snippets/answer-snippets";
import { sendMessageSnippets } from "@/components/snippets/send-message-snippets";
import type { SnippetPlace } from "@/components/snippets/snippet-place";
import { receiveSnippets, subscribeSnippets } from "@/components/snippets/webhook-snippets";
import { Button } from "@/components/ui/button";
import type { Overview } from "@/lib/identity/accounts/get-overview";

export type StepName = keyof Overview["steps"];

export type Start = SnippetPlace & { environment: "sandbox" | "production"; mayManageTokens: boolean };

type Step = { name: StepName; title: string; how: (start: Start) => ReactNode };

/** What an account does first, in order. */
export const steps: Step[] = [
  {
    name: "token_generated",
    title: "Generate an API token",
    how: (start) => <GenerateToken start={start} />,
  },
  { name: "message_sent", title: "Send a first message", how: (start) => <SendMessage start={start} /> },
  { name: "phone_answered", title: "Get an answer", how: (start) => <GetAnswer start={start} /> },
  { name: "webhook_subscribed", title: "Subscribe a webhook", how: (start) => <Subscribe start={start} /> },
  { name: "webhook_delivered", title: "Receive a delivery", how: () => <Receive /> },
];

function GenerateToken({ start }: { start: Start }) {
  if (!start.mayManageTokens) {
    return <p>Ask an admin or a developer of the partner for a token: your role cannot generate one.</p>;
  }
  return (
    <>
      <p>Programs sign in with a token. It is shown once, so have a place for it ready.</p>
      <Button asChild className="w-fit">
        <Link href="/tokens?generate">Generate a token</Link>
      </Button>
    </>
  );
}

function SendMessage({ start }: { start: Start }) {
  return (
    <>
      <p>
        {start.line === null
          ? "The account has no line yet: ask your operator for one. The commands show sample numbers."
          : "Paste one of these; the numbers are this account's own."}{" "}
        <Token />
      </p>
      <Snippets label="send a first message" snippets={sendMessageSnippets(start)} />
    </>
  );
}

function GetAnswer({ start }: { start: Start }) {
  if (start.environment === "production") {
    return (
      <p>
        Write to <span className="font-mono">{start.line ?? "your line"}</span> from the phone that got the
        message.
      </p>
    );
  }
  return (
    <>
      <p>This is a sandbox: its phones are simulated, and answer when you tell them to.</p>
      <Snippets label="let the phone answer" snippets={answerSnippets(start)} />
    </>
  );
}

function Subscribe({ start }: { start: Start }) {
  return (
    <>
      <p>
        Events are posted to your server as they happen.
        {start.environment === "sandbox" &&
          " In this sandbox it may run on your own machine, if the operator allows it."}
      </p>
      <Snippets label="subscribe a webhook" snippets={subscribeSnippets(start)} />
    </>
  );
}

function Receive() {
  return (
    <>
      <p>
        Answer within ten seconds with any 2xx. What fails is tried again for 25 minutes; every attempt is
        under{" "}
        <Link href="/events" className="underline underline-offset-4">
          Events
        </Link>
        .
      </p>
      <Snippets label="receive webhooks" snippets={receiveSnippets()} />
    </>
  );
}

function Token() {
  const may = useMay();
  if (!may("view_tokens")) {
    return (
      <>
        They read the token from <code className="font-mono text-xs">$TRUNKLINE_TOKEN</code>.
      </>
    );
  }
  return (
    <>
      They read the token from <code className="font-mono text-xs">$TRUNKLINE_TOKEN</code>; get one under{" "}
      <Link href="/tokens" className="underline underline-offset-4">
        API tokens
      </Link>
      .
    </>
  );
}

type SnippetsProps = { label: string; snippets: Partial<Record<SnippetLanguage, string>> };

function Snippets(props: SnippetsProps) {
  return <CodeTabs {...props} className="min-w-0" />;
}
