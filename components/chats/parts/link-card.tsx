import { ExternalLink } from "lucide-react";

/** A link sent as a card: its host and the full URL. */
export function LinkCard({ value }: { value: string }) {
  return (
    <a
      href={value}
      target="_blank"
      rel="noreferrer nofollow"
      className="flex w-72 max-w-full items-center gap-3 whitespace-normal rounded-lg border bg-card p-3 text-card-foreground hover:bg-accent"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{URL.parse(value)?.host ?? value}</span>
        <span className="line-clamp-2 break-all text-muted-foreground text-xs">{value}</span>
      </span>
      <ExternalLink className="size-4 shrink-0 text-muted-foreground" aria-hidden="true" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}
