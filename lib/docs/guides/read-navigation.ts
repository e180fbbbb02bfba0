import "server-only";
import { DOCS_NAVIGATION, type NavigationEntry } from "@/lib/docs/guides/docs-navigation";
import { readGuide } from "@/lib/docs/guides/read-guide";

/** A link of the navigation. */
export interface NavigationLink {
  href: string;
  title: string;
}

/** A section of the navigation with the titles of its pages. */
export interface NavigationGroup {
  title: string;
  pages: NavigationLink[];
}

/** The navigation of the documentation. Throws when a page has neither a title nor a Markdown file. */
export function readNavigation(): NavigationGroup[] {
  return DOCS_NAVIGATION.map(({ title, pages }) => ({ title, pages: pages.map(toLink) }));
}

function toLink({ href, title }: NavigationEntry): NavigationLink {
  const shown = title ?? readGuide(href)?.title;
  if (shown === undefined) throw new Error(`the navigation names ${href}, which has no Markdown file`);
  return { href, title: shown };
}

/** The pages before and after a page in reading order, and its section. */
export function neighborsOf(href: string): {
  section: string | null;
  previous: NavigationLink | null;
  next: NavigationLink | null;
} {
  const groups = readNavigation();
  const links = groups.flatMap(({ pages }) => pages);
  const at = links.findIndex((link) => link.href === href);
  const section = groups.find(({ pages }) => pages.some((link) => link.href === href))?.title ?? null;
  if (at === -1) return { section, previous: null, next: null };
  return { section, previous: links[at - 1] ?? null, next: links[at + 1] ?? null };
}
