import { Info, TriangleAlert } from "lucide-react";
import type { Token, Tokens } from "marked";
import { ScrollRegion } from "@/components/data/scroll-region";
import { GuideImage } from "@/components/docs/guide-image";
import { belongsToTabs, MarkdownCode } from "@/components/docs/markdown-code";
import { MarkdownText } from "@/components/docs/markdown-text";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { cn } from "@/lib/cn";
import { parseMarkdown, plainText, toHeading } from "@/lib/docs/guides/markdown-sections";

/** A Markdown document as a page: headings with anchors, tables, definition lists, images, notes and code in tabs. */
export function Markdown({ source }: { source: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-4 text-pretty leading-relaxed">
      {toBlocks(parseMarkdown(source)).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a static document
        <Block key={index} block={block} />
      ))}
    </div>
  );
}

type BlockContent = { token: Token; code: Tokens.Code[]; label: string };

/** Block tokens without spaces; adjacent code blocks are joined. `label` is the heading above a block. */
function toBlocks(tokens: readonly Token[]): BlockContent[] {
  const blocks: BlockContent[] = [];
  let label = "example";
  for (const token of tokens) {
    if (token.type === "space") continue;
    if (token.type === "heading") label = toHeading(token as Tokens.Heading).text;
    const last = blocks.at(-1);
    const isCode = token.type === "code";
    if (
      isCode &&
      last !== undefined &&
      last.code.length > 0 &&
      belongsToTabs(last.code, token as Tokens.Code)
    ) {
      last.code.push(token as Tokens.Code);
    } else blocks.push({ token, code: isCode ? [token as Tokens.Code] : [], label });
  }
  return blocks;
}

function Block({ block: { token, code, label } }: { block: BlockContent }) {
  switch (token.type) {
    case "heading":
      return <Heading token={token as Tokens.Heading} />;
    case "code":
      return <MarkdownCode blocks={code} label={label} />;
    case "list":
      return <List token={token as Tokens.List} />;
    case "table":
      return <TableBlock token={token as Tokens.Table} label={label} />;
    case "blockquote":
      return <Note token={token as Tokens.Blockquote} />;
    case "paragraph":
    case "text":
      return <Paragraph tokens={"tokens" in token ? (token.tokens ?? []) : [token]} />;
    default:
      throw new Error(`a guide contains Markdown that pages cannot show: ${token.type}`);
  }
}

/** An image is a paragraph of its own. */
function Paragraph({ tokens }: { tokens: readonly Token[] }) {
  const [first] = tokens;
  if (tokens.length === 1 && first?.type === "image") return <GuideImage token={first as Tokens.Image} />;
  return (
    <p>
      <MarkdownText tokens={tokens} />
    </p>
  );
}

function Heading({ token }: { token: Tokens.Heading }) {
  const { id, text, depth } = toHeading(token);
  const Tag = depth <= 2 ? "h2" : "h3";
  return (
    <Tag
      id={id}
      className={cn(
        "group scroll-mt-20 font-semibold tracking-tight",
        depth <= 2 ? "mt-4 border-t pt-6 text-lg first:mt-0 first:border-0 first:pt-0" : "mt-2 text-base",
      )}
    >
      {text}
      <a
        href={`#${id}`}
        aria-label={`Link to ${text}`}
        className="ml-2 font-normal text-muted-foreground opacity-0 focus-visible:opacity-100 group-hover:opacity-100"
      >
        #
      </a>
    </Tag>
  );
}

function List({ token }: { token: Tokens.List }) {
  const definitions = token.ordered ? [null] : token.items.map(toDefinition);
  if (definitions.every((each) => each !== null)) return <DefinitionList rows={definitions} />;
  const Tag = token.ordered ? "ol" : "ul";
  return (
    <Tag className={cn("flex flex-col gap-2 pl-5", token.ordered ? "list-decimal" : "list-disc")}>
      {token.items.map((item) => (
        <li key={item.raw} className="pl-1">
          {toBlocks(item.tokens).map((block) =>
            block.token.type === "text" ? (
              <MarkdownText key={block.token.raw} tokens={block.token.tokens} />
            ) : (
              <div key={block.token.raw} className="mt-2 first:mt-0">
                <Block block={block} />
              </div>
            ),
          )}
        </li>
      ))}
    </Tag>
  );
}

type Definition = { name: Token[]; text: Token[] };

/** A list item of the form "**Name**: text", or null. */
function toDefinition({ tokens: [block] }: Tokens.ListItem): Definition | null {
  if (block === undefined || !("tokens" in block)) return null;
  const [name, colon, ...rest] = block.tokens ?? [];
  if (name?.type !== "strong" || colon?.type !== "text" || !colon.raw.startsWith(": ")) return null;
  return {
    name: "tokens" in name ? (name.tokens ?? []) : [],
    text: [{ ...colon, raw: colon.raw.slice(2) }, ...rest],
  };
}

function DefinitionList({ rows }: { rows: Definition[] }) {
  return (
    <dl className="divide-y rounded-xl border bg-card shadow-xs">
      {rows.map(({ name, text }) => (
        <div key={name.map((token) => token.raw).join("")} className="flex flex-col gap-0.5 px-4 py-2.5">
          <dt className="font-medium">
            <MarkdownText tokens={name} />
          </dt>
          <dd className="text-muted-foreground">
            <MarkdownText tokens={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function TableBlock({ token, label }: { token: Tokens.Table; label: string }) {
  const columns = token.header.map(({ text }) => text);
  return (
    <ScrollRegion label={label} className="overflow-x-auto rounded-xl border bg-card shadow-xs">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b">
            {token.header.map(({ text, tokens }) => (
              <th key={text} scope="col" className="px-4 py-2.5 font-medium">
                <MarkdownText tokens={tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {token.rows.map((cells) => (
            <tr key={cells.map(({ text }) => text).join("|")} className="align-top">
              {cells.map(({ tokens }, at) =>
                at === 0 ? (
                  <th key={columns[at]} scope="row" className="px-4 py-2.5 font-normal">
                    <MarkdownText tokens={tokens} />
                  </th>
                ) : (
                  <td key={columns[at]} className="px-4 py-2.5 text-muted-foreground">
                    <MarkdownText tokens={tokens} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** A note, or a warning when its first line is `[!WARNING]`. */
function Note({ token }: { token: Tokens.Blockquote }) {
  const isWarning = token.text.startsWith("[!WARNING]");
  const source = token.text.replace(/^\[!(WARNING|NOTE)\]\n/, "");
  const Icon = isWarning ? TriangleAlert : Info;
  return (
    <Alert
      variant={isWarning ? "warning" : "default"}
      role="note"
      aria-label={isWarning ? "Warning" : "Note"}
    >
      <Icon aria-hidden="true" />
      <AlertDescription className="gap-2 text-foreground">
        {parseMarkdown(source)
          .filter(({ type }) => type !== "space")
          .map((each) => (
            <p key={plainText(each)}>
              <MarkdownText tokens={"tokens" in each ? each.tokens : [each]} />
            </p>
          ))}
      </AlertDescription>
    </Alert>
  );
}
