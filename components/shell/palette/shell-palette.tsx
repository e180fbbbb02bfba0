"use client";

import { CommandPalette, type CommandPaletteProps } from "@/components/shell/palette/command-palette";
import { type PaletteSources, usePaletteGroups } from "@/components/shell/palette/use-palette-groups";

export type ShellPaletteProps = Omit<CommandPaletteProps, "groups" | "accountId"> & {
  /** The state that the commands of the palette change. */
  sources: PaletteSources;
};

/** The command palette of every signed-in page, with the pages, the commands and the other accounts. */
export function ShellPalette({ sources, ...palette }: ShellPaletteProps) {
  const groups = usePaletteGroups(sources);
  return <CommandPalette {...palette} groups={groups} accountId={sources.currentAccountId} />;
}
