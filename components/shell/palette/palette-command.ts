import type { LucideIcon } from "lucide-react";

export type PaletteCommand = {
  id: string;
  label: string;
  icon: LucideIcon;
  /** Secondary text on the right: an id, a handle or an environment. */
  hint?: string | undefined;
  keywords?: string[];
  /** The path that the command opens. Commands with a path are listed under Recent after use. */
  href?: string;
  run: () => void;
};

export type PaletteGroup = { label: string; commands: PaletteCommand[] };

/** One of the searches that run while the user types, with at least two characters. Each has its own results. */
export type PaletteSearch = {
  label: string;
  search: (query: string, signal: AbortSignal) => Promise<PaletteCommand[]>;
};
