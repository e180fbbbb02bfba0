type OnThisPageProps = { headings: readonly { id: string; text: string }[] };

/** The headings of a page, beside it on wide screens. */
export function OnThisPage({ headings }: OnThisPageProps) {
  if (headings.length < 2) return null;
  return (
    <nav aria-label="On this page" className="hidden w-44 shrink-0 xl:block">
      <div className="sticky top-20 flex max-h-[calc(100dvh-6rem)] flex-col gap-2 overflow-y-auto text-xs">
        <p className="font-medium">On this page</p>
        <ul className="flex flex-col gap-1.5">
          {headings.map(({ id, text }) => (
            <li key={id}>
              <a href={`#${id}`} className="text-muted-foreground hover:text-foreground">
                {text}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}
