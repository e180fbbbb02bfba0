import { storedImagePath } from "@/components/chats/parts/stored-file-path";
import { type TextPart, type TextSegment, toTextSegments } from "@/components/chats/parts/text-segments";
import { cn } from "@/lib/cn";

const STYLES: Record<string, string> = {
  bold: "font-bold",
  italic: "italic",
  underline: "underline",
  strikethrough: "line-through",
};

/** A text part with its styles, mentions and inline stickers. */
export function TextPartView({ part }: { part: TextPart }) {
  return toTextSegments(part).map((segment) => <Run key={segment.start} segment={segment} />);
}

function Run({ segment }: { segment: TextSegment }) {
  const { text, styles, animation, mention, sticker } = segment;
  const look = cn(
    // Underline and strikethrough share one CSS property.
    styles.includes("underline") && styles.includes("strikethrough")
      ? "[text-decoration-line:underline_line-through]"
      : styles.map((style) => STYLES[style]),
    styles.includes("bold") && STYLES.bold,
    styles.includes("italic") && STYLES.italic,
    animation === "big" && "text-lg",
    animation === "small" && "text-xs",
  );
  const image = storedImagePath(sticker?.url);
  if (image !== null && sticker !== null) {
    return (
      // biome-ignore lint/performance/noImgElement: a file behind a signed URL
      <img
        src={image}
        alt={`Sticker ${sticker.filename}`}
        loading="lazy"
        className="inline-block size-6 object-contain align-text-bottom"
      />
    );
  }
  if (mention !== null) {
    return (
      <mark
        title={mention.is_me ? "Mentions this line" : `Mentions ${mention.handle}`}
        className={cn("rounded-sm bg-black/15 px-0.5 dark:bg-black/35 font-semibold text-current", look)}
      >
        {text}
      </mark>
    );
  }
  return (
    <span className={look} title={animation === null ? undefined : `Animated: ${animation}`}>
      {text}
    </span>
  );
}
