import { cn } from "@/lib/cn";

type CardImageProps = { name: string; url: string | null; className?: string };

/** The round photo of a card, or its initials. It is decorative: the name is always beside it. */
export function CardImage({ name, url, className }: CardImageProps) {
  const shape = "flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-full";
  if (url !== null) {
    return (
      // biome-ignore lint/performance/noImgElement: signed file URLs and unsaved images
      <img src={url} alt="" className={cn(shape, "object-cover", className)} />
    );
  }
  return (
    <span aria-hidden="true" className={cn(shape, "bg-[#6e727b] font-medium text-white", className)}>
      {initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).slice(0, 2);
  return words.map((word) => [...word][0]?.toUpperCase() ?? "").join("");
}
