import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";

const pages = [
  {
    href: "/docs/error/codes",
    title: "Error codes",
    description: "Every code the API answers: what it means, what to do, and whether to try again.",
  },
  {
    href: "/docs/guides/errors",
    title: "Errors and retries",
    description: "The form of every refusal, whether to try again, and how to send once and not twice.",
  },
  {
    href: "/docs/guides/attachments",
    title: "Attachments and retention",
    description: "How files get in and out, what is converted, and how long files and messages are kept.",
  },
  {
    href: "/docs/guides/webhooks",
    title: "Webhooks",
    description: "Subscribing, verifying, retries, order, and what happens to an endpoint that fails.",
  },
  {
    href: "/docs/guides/webhooks/events",
    title: "Webhook events",
    description: "Every event a subscription may list, and what is posted for it.",
  },
  {
    href: "/docs/guides/chats/chat-health",
    title: "Chat health",
    description: "How a chat's status comes about, and how to keep it healthy.",
  },
  {
    href: "/docs/guides/programs",
    title: "Run a program written for this API",
    description: "The environment variables of the official client, eve and the vendor's command line.",
  },
  {
    href: "/docs/guides/simulator",
    title: "Simulator",
    description: "Phones and lines that do what you want, for tests and demos without a network.",
  },
];

export default function DocsPage() {
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Documentation" description="What the API's answers point to." />
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
