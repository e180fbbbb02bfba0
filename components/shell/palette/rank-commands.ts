import type { PaletteCommand, PaletteGroup } from "@/components/shell/palette/palette-command";

type Scored = Pick<PaletteCommand, "label" | "keywords">;

/**
 * Scores a command for a query: 0 = no match. Words match in any order. A match at the start of the label ranks highest,
 * then at the start of a word.
 */
function scoreCommand({ label, keywords = [] }: Scored, query: string): number {
  const title = label.toLowerCase();
  const text = `${title} ${keywords.join(" ").toLowerCase()}`;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.every((word) => text.includes(word))) return 0;
  const starts = words.filter((word) => ` ${title}`.includes(` ${word}`)).length;
  const leads = words.some((word) => title.startsWith(word)) ? 1 : 0;
  return (1 + starts + leads) / (2 + words.length);
}

/** The groups with only the commands that match, best first. Without a query, all groups in their own order. */
export function rankGroups(groups: readonly PaletteGroup[], query: string): PaletteGroup[] {
  if (query === "") return groups.filter(({ commands }) => commands.length > 0);
  return groups
    .map(({ label, commands }) => {
      const scored = commands
        .map((command) => ({ command, score: scoreCommand(command, query) }))
        .filter(({ score }) => score > 0)
        .sort((one, other) => other.score - one.score);
      return { label, commands: scored.map(({ command }) => command), best: scored[0]?.score ?? 0 };
    })
    .filter(({ best }) => best > 0)
    .sort((one, other) => other.best - one.best)
    .map(({ label, commands }) => ({ label, commands }));
}

/** The groups without the commands that open the path of one that is listed already. */
export function withoutPaths(
  groups: readonly PaletteGroup[],
  listed: readonly Pick<PaletteCommand, "href">[],
): PaletteGroup[] {
  const paths = new Set(listed.flatMap(({ href }) => (href === undefined ? [] : [decodeURIComponent(href)])));
  return groups.map(({ label, commands }) => ({
    label,
    commands: commands.filter(({ href }) => href === undefined || !paths.has(decodeURIComponent(href))),
  }));
}

/** The value of a command in the list. Unique, also when a recent command stands beside the original. */
export function commandValue(group: string, id: string): string {
  return `${group}:${id}`.toLowerCase();
}

/**
 * The selected value: the user's choice while the list contains it, otherwise the first command. Results that arrive
 * later than the query don't leave Enter without a selection.
 */
export function selectedValue(groups: readonly PaletteGroup[], chosen: string | null): string {
  const values = groups.flatMap(({ label, commands }) => commands.map(({ id }) => commandValue(label, id)));
  return chosen !== null && values.includes(chosen) ? chosen : (values[0] ?? "");
}
