import type { Token } from "marked";
import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { GuideCode, guideLink } from "@/components/docs/guide-parts";

/** The inline tokens of a Markdown text: emphasis, code and links. */
export function MarkdownText({ tokens }: { tokens: readonly Token[] | undefined }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other identity
  return tokens?.map((token, index) => <Fragment key={index}>{toInline(token)}</Fragment>);
}

function toInline(token: Token): ReactNode {
  switch (token.type) {
    case "strong":
      return (
        <strong className="font-medium">
          <MarkdownText tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <MarkdownText tokens={token.tokens} />
        </em>
      );
    case "codespan":
      return <GuideCode>{token.text}</GuideCode>;
    case "br":
      return <br />;
    case "link":
      return (
        <DocumentLink href={token.href}>
          <MarkdownText tokens={token.tokens} />
        </DocumentLink>
      );
    case "image":
      throw new Error(`an image of a guide must be a paragraph of its own: ${token.href}`);
    default:
      if ("tokens" in token && token.tokens) return <MarkdownText tokens={token.tokens} />;
      return token.type === "escape" ? token.text : token.raw;
  }
}

/** Pages of the documentation open without a reload. Files and other sites are ordinary links. */
function DocumentLink({ href, children }: { href: string; children: ReactNode }) {
  const isPage = href.startsWith("/") && !/\.(json|txt|md|yaml)$/.test(href);
  if (!isPage) {
    return (
      <a href={href} className={guideLink}>
        {children}
      </a>
    );
  }
  return (
    <Link href={href} prefetch={false} className={guideLink}>
      {children}
    </Link>
  );
}
