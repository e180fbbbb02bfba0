import { type MarkdownBlock, type MarkdownSpan, readMarkdown } from "@/components/data/read-markdown";

/** Renders Markdown as elements. HTML in the text is never rendered. */
export function MarkdownText({ text }: { text: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-3 wrap-anywhere leading-relaxed">
      {readMarkdown(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text's blocks have no other identity
        <Block key={index} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { block: MarkdownBlock }) {
  if (block.type === "heading") {
    return (
      <h3 className="font-semibold">
        <Spans spans={block.spans} />
      </h3>
    );
  }
  if (block.type === "paragraph") {
    return (
      <p>
        <Spans spans={block.spans} />
      </p>
    );
  }
  const List = block.type === "bullets" ? "ul" : "ol";
  return (
    <List className={block.type === "bullets" ? "list-disc pl-5" : "list-decimal pl-5"}>
      {block.items.map((spans, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <li key={index}>
          <Spans spans={spans} />
        </li>
      ))}
    </List>
  );
}

function Spans({ spans }: { spans: MarkdownSpan[] }) {
  return spans.map(({ text, strong }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    strong ? <strong key={index}>{text}</strong> : <span key={index}>{text}</span>,
  );
}
