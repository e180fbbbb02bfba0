import { ArrowLeft, ArrowRight } from "lucide-react";
import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { guideLink } from "@/components/docs/guide-parts";
import { Markdown } from "@/components/docs/markdown";
import { OnThisPage } from "@/components/docs/on-this-page";
import { cn } from "@/lib/cn";
import { headingsOf } from "@/lib/docs/guides/markdown-sections";
import type { Guide } from "@/lib/docs/guides/read-guide";
import { type NavigationLink, neighborsOf } from "@/lib/docs/guides/read-navigation";

/** A guide with its table of contents and links to the pages before and after it. */
export function GuidePage({ guide: { href, title, description, markdown } }: { guide: Guide }) {
  const { section, previous, next } = neighborsOf(href);
  const headings = headingsOf(markdown).filter(({ depth }) => depth === 2);
  const crumbs = [{ label: "Docs", href: "/docs" }];
  return (
    <div className="flex gap-10">
      <article className="flex min-w-0 max-w-3xl flex-1 flex-col gap-8">
        <PageHeader
          title={title}
          description={
            <>
              {section !== null && <span className="sr-only">{section}. </span>}
              {description}
            </>
          }
          breadcrumbs={crumbs}
        />
        <Markdown source={markdown} />
        <p className="text-muted-foreground text-xs">
          <a href={`${href}.md`} className={guideLink}>
            This page as Markdown
          </a>
        </p>
        <nav aria-label="Previous and next page" className="grid gap-3 border-t pt-6 sm:grid-cols-2">
          {previous ? <Neighbor link={previous} label="Previous" /> : <span />}
          {next && <Neighbor link={next} label="Next" isNext />}
        </nav>
      </article>
      <OnThisPage headings={headings} />
    </div>
  );
}

type NeighborProps = { link: NavigationLink; label: string; isNext?: boolean };

function Neighbor({ link: { href, title }, label, isNext = false }: NeighborProps) {
  const Arrow = isNext ? ArrowRight : ArrowLeft;
  return (
    <Link
      href={href}
      prefetch={false}
      className={cn(
        "flex flex-col gap-0.5 rounded-lg border bg-card px-4 py-3 hover:bg-muted/70",
        isNext && "items-end text-right",
      )}
    >
      <span className="flex items-center gap-1 text-muted-foreground text-xs">
        <Arrow aria-hidden="true" className={cn("size-3", isNext && "order-last")} />
        {label}
      </span>
      <span className="font-medium">{title}</span>
    </Link>
  );
}
