import Link from "next/link";
import type { ReactNode } from "react";
import { CodeTabs, type SnippetLanguage } from "@/components/data/copy/code-tabs";
import { useMay } from "@/components/shell/rights";
import { replySnippets } from "@/components/snippets/reply-snippets";
import { sendMessageSnippets } from "@/components/snippets/send-message-snippets";
import type { SnippetContext } from "@/components/snippets/snippet-context";
import { subscribeSnippets, webhookServerSnippets } from "@/components/snippets/webhook-snippets";
import { Button } from "@/components/ui/button";
import type { Home } from "@/lib/runtime/dashboard/get-home";

export type StepName = keyof Home["steps"];

export type StepContext = SnippetContext & {
  environment: "sandbox" | "production";
  mayManageTokens: boolean;
};

type Step = { name: StepName; title: string; how: (start: StepContext) => ReactNode };

/** The onboarding steps, in order. */
export const steps: Step[] = [
  {
    name: "token_generated",
    title: "Generate an API token",
    how: (start) => <GenerateToken start={start} />,
  },
  { name: "message_sent", title: "Send your first message", how: (start) => <SendMessage start={start} /> },
  { name: "phone_answered", title: "Receive a reply", how: (start) => <GetAnswer start={start} /> },
  {
    name: "webhook_subscribed",
    title: "Add a webhook endpoint",
    how: (start) => <Subscribe start={start} />,
  },
  { name: "webhook_delivered", title: "Receive a webhook", how: () => <Receive /> },
];

function GenerateToken({ start }: { start: StepContext }) {
  if (!start.mayManageTokens) {
    return <p>Your role can't generate tokens. Ask an admin or a developer of the partner for one.</p>;
  }
  return (
    <>
      <p>Programs authenticate with an API token. The token is shown only once, so be ready to store it.</p>
      <Button asChild className="w-fit">
        <Link href="/tokens?generate">Generate a token</Link>
      </Button>
    </>
  );
}

function SendMessage({ start }: { start: StepContext }) {
  return (
    <>
      <p>
        {start.line === null
          ? "This account has no line yet. Ask your operator to add one. The commands below use sample numbers."
          : "Run one of these commands. They use this account's own numbers."}{" "}
        <Token />
      </p>
      {start.environment === "sandbox" && (
        <Button asChild variant="outline" size="sm" className="w-fit">
          <Link href="/phones/first-steps">Watch it arrive on a phone</Link>
        </Button>
      )}
      <Snippets label="send a first message" snippets={sendMessageSnippets(start)} />
    </>
  );
}

function GetAnswer({ start }: { start: StepContext }) {
  if (start.environment === "production") {
    return (
      <p>
        Send a message to <span className="font-mono">{start.line ?? "your line"}</span> from the phone that
        received yours.
      </p>
    );
  }
  return (
    <>
      <p>
        This is a sandbox. Its phones are simulated. Write in one under{" "}
        <Link href="/phones/first-steps" className="underline underline-offset-4">
          Phones
        </Link>
        , or run a command.
      </p>
      <Snippets label="let the phone answer" snippets={replySnippets(start)} />
    </>
  );
}

function Subscribe({ start }: { start: StepContext }) {
  return (
    <>
      <p>
        Trunkline posts events to your server as they happen.
        {start.environment === "sandbox" &&
          " In this sandbox, your server can run on your own machine if the operator allows it."}
      </p>
      <Snippets label="subscribe a webhook" snippets={subscribeSnippets(start)} />
    </>
  );
}

function Receive() {
  return (
    <>
      <p>
        Respond with any 2xx status within 10 seconds. Trunkline retries failed deliveries for 25 minutes by
        default. See every attempt under{" "}
        <Link href="/events" className="underline underline-offset-4">
          Events
        </Link>
        .
      </p>
      <Snippets label="receive webhooks" snippets={webhookServerSnippets()} />
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
