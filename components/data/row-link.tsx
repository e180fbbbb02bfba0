import Link from "next/link";
import type { MouseEvent, ReactNode } from "react";
import { LinkMark } from "@/components/data/link-mark";

/** The classes of a link or button that covers its table row, whose position must be relative. */
export const ROW_TARGET =
  "rounded-sm text-left font-medium after:absolute after:inset-0 after:content-[''] focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:-outline-offset-2";

type RowLinkProps = { href: string; onClick?: (event: MouseEvent) => void; children: ReactNode };

/** A link in a cell of a table row that makes the whole row clickable. J and K move between such links in lists. */
export function RowLink({ children, ...link }: RowLinkProps) {
  return (
    <Link data-row="" className={ROW_TARGET} {...link}>
      {children}
      <LinkMark />
    </Link>
  );
}
