import { CardImage } from "@/components/contact-cards/card-image";
import { Grouped } from "@/components/data/grouped";
import { cn } from "@/lib/cn";

type CardPreviewProps = { name: string; number: string; imageUrl: string | null };

// The colors of a phone, independent of the dashboard's theme.
const LOOKS = [
  {
    label: "Light",
    screen: "bg-white text-black",
    bar: "bg-[#f6f6f6]",
    dim: "text-[#5f6067]",
    bubble: "bg-[#e9e9eb]",
  },
  {
    label: "Dark",
    screen: "bg-black text-white",
    bar: "bg-[#1c1c1e]",
    dim: "text-[#a5a5ad]",
    bubble: "bg-[#26252a]",
  },
] as const;

/** A preview of the card on a phone, in light and dark mode. */
export function CardPreview({ name, number, imageUrl }: CardPreviewProps) {
  return (
    <section aria-label="Preview" className="flex flex-col gap-2">
      <h2 className="font-medium text-sm">Phone preview</h2>
      <div className="grid grid-cols-2 gap-3">
        {LOOKS.map((look) => (
          <figure key={look.label} className="flex min-w-0 flex-col gap-1.5">
            <div className={cn("overflow-hidden rounded-2xl border", look.screen)}>
              <div className={cn("flex flex-col items-center gap-1.5 px-3 pt-4 pb-3", look.bar)}>
                <CardImage name={name || "?"} url={imageUrl} className="size-16 text-xl" />
                <span className="wrap-anywhere line-clamp-2 text-center font-medium text-xs">
                  <Grouped>{name || number}</Grouped>
                </span>
                <span className={cn("h-4 text-[0.6875rem] tabular-nums", look.dim)}>
                  <Grouped>{name && number}</Grouped>
                </span>
              </div>
              <div className="flex h-24 flex-col justify-end p-3">
                <span className={cn("w-fit rounded-2xl px-3 py-1.5 text-xs", look.bubble)}>Hello!</span>
              </div>
            </div>
            <figcaption className="text-muted-foreground text-xs">{look.label}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}
