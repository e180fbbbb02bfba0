import "server-only";
import { DOCS_NAVIGATION } from "@/lib/docs/guides/docs-navigation";
import { type Guide, readGuide } from "@/lib/docs/guides/read-guide";

/** The guides of the navigation below a path, in reading order. */
export function listGuides(below: string): Guide[] {
  return DOCS_NAVIGATION.flatMap(({ pages }) => pages)
    .filter(({ href }) => href.startsWith(below))
    .flatMap(({ href }) => readGuide(href) ?? []);
}
