import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { guideLink } from "@/components/docs/guide-parts";
import { readGuide } from "@/lib/docs/guides/read-guide";
import { readNavigation } from "@/lib/docs/guides/read-navigation";

/** Descriptions of the pages that are not Markdown files. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  "/docs/guides/webhooks/events": "Every event type with an example of its payload.",
  "/docs/reference": "Every operation with its parameters, its fields and an example.",
  "/docs/explorer": "Send requests from the browser with your account's line, phone and chat.",
  "/docs/error/codes": "The cause of every API error code, the action to take and whether to retry.",
};

export default function DocsPage() {
  return (
    <div className="flex max-w-4xl flex-col gap-8">
      <PageHeader
        title="Documentation"
        description={
          <>
            <p>
              Send messages and take payments over iMessage, RCS and SMS. Start with a quickstart, then read
              the guide of each feature you use.
            </p>
            <p>
              For programs:{" "}
              <a href="/llms.txt" className={guideLink}>
                llms.txt
              </a>
              ,{" "}
              <a href="/docs/openapi.json" className={guideLink}>
                openapi.json
              </a>{" "}
              and, for coding agents, a{" "}
              <a href="/docs/skill.md" className={guideLink}>
                skill file
              </a>
              .
            </p>
          </>
        }
      />
      {readNavigation().map(({ title, pages }) => (
        <section key={title} aria-label={title} className="flex flex-col gap-3">
          <h2 className="font-semibold tracking-tight">{title}</h2>
          <ul className="grid gap-3 sm:grid-cols-2">
            {pages.map((page) => (
              <li key={page.href}>
                <Link
                  href={page.href}
                  prefetch={false}
                  className="flex h-full flex-col gap-0.5 rounded-xl border bg-card px-4 py-3 shadow-xs hover:bg-muted/70"
                >
                  <span className="font-medium">{page.title}</span>
                  <span className="text-muted-foreground leading-relaxed">
                    {DESCRIPTIONS[page.href] ?? readGuide(page.href)?.description}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
