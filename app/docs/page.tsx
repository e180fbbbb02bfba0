import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";

const pages = [
  {
    href: "/docs/reference",
    title: "API reference",
    description: "Every operation with its parameters, its fields and an example.",
  },
  {
    href: "/docs/error/codes",
    title: "Error codes",
    description: "The cause of every API error code, the action to take and whether to retry.",
  },
  {
    href: "/docs/guides/errors",
    title: "Errors and retries",
    description: "The error format, when to retry, and how to prevent duplicate messages.",
  },
  {
    href: "/docs/guides/tokens",
    title: "API tokens",
    description: "Expiry, scopes, allowed IP addresses, rolling a token with an overlap, and events.",
  },
  {
    href: "/docs/guides/attachments",
    title: "Attachments and retention",
    description:
      "How to send and receive files, which formats are converted, and how long files and messages are kept.",
  },
  {
    href: "/docs/guides/webhooks",
    title: "Webhooks",
    description:
      "How to subscribe and verify signatures, and how retries, ordering and failing endpoints work.",
  },
  {
    href: "/docs/guides/webhooks/events",
    title: "Webhook events",
    description: "Every event type with an example of its payload.",
  },
  {
    href: "/docs/guides/chats/chat-health",
    title: "Chat health",
    description: "How the health status of a chat is determined and how to keep chats healthy.",
  },
  {
    href: "/docs/guides/lines/reputation",
    title: "Line reputation",
    description: "The reputation levels of a line, and when a line is flagged.",
  },
  {
    href: "/docs/guides/command-line",
    title: "Command line",
    description: "Forward webhooks to your machine, send, replay, read logs and check an account.",
  },
  {
    href: "/docs/guides/mcp",
    title: "MCP server",
    description: "Tools that investigate an account and rehearse conversations, for MCP clients.",
  },
  {
    href: "/docs/guides/programs",
    title: "Run a program written for this API",
    description: "Environment variables for the official client, eve and the vendor's command line.",
  },
  {
    href: "/docs/guides/hardening",
    title: "Hardening",
    description: "TLS, proxies, keys, backups and access, before you expose an instance to other people.",
  },
  {
    href: "/docs/guides/simulator",
    title: "Simulator",
    description: "Simulated phones and lines for tests and demos without a network.",
  },
];

export default function DocsPage() {
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Documentation" description="Guides, API reference and error codes." />
      <ul className="divide-y rounded-xl border bg-card shadow-xs">
        {pages.map(({ href, title, description }) => (
          <li key={href}>
            <Link href={href} className="flex flex-col gap-0.5 px-4 py-3.5 hover:bg-muted/70">
              <span className="font-medium">{title}</span>
              <span className="text-muted-foreground leading-relaxed">{description}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
