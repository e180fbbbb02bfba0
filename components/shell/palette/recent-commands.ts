import type { PaletteCommand } from "@/components/shell/palette/palette-command";

const PREFIX = "trunkline.palette.";
const MAX_RECENT = 5;

/** Something that was opened from the palette. */
export type RecentCommand = { href: string; label: string; hint?: string | undefined };

/** The recent commands with the newest first, each path once. */
export function addRecent(recent: readonly RecentCommand[], opened: RecentCommand): RecentCommand[] {
  return [opened, ...recent.filter(({ href }) => href !== opened.href)].slice(0, MAX_RECENT);
}

/** The recent commands in a stored text; none when the text is missing or damaged. */
export function parseRecent(stored: string | null): RecentCommand[] {
  try {
    const parsed: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(parsed) ? parsed.filter(isRecent) : [];
  } catch {
    return [];
  }
}

function isRecent(value: unknown): value is RecentCommand {
  if (typeof value !== "object" || value === null || !("href" in value) || !("label" in value)) return false;
  const { href, label } = value;
  const isHintText = !("hint" in value) || typeof value.hint === "string";
  return typeof href === "string" && /^\/(?!\/)/.test(href) && typeof label === "string" && isHintText;
}

/** The commands that were last opened in an account, newest first. */
export function readRecent(accountId: string): RecentCommand[] {
  try {
    return parseRecent(localStorage.getItem(PREFIX + accountId));
  } catch {
    // Without local storage, nothing is recent.
    return [];
  }
}

/** Stores that a command was opened. Commands without a path are not stored. */
export function storeRecent(accountId: string, { href, label, hint }: PaletteCommand): void {
  if (href === undefined) return;
  try {
    const recent = addRecent(readRecent(accountId), { href, label, hint });
    localStorage.setItem(PREFIX + accountId, JSON.stringify(recent));
  } catch {
    // Without local storage, nothing is recent.
  }
}

/** Deletes the recent commands of all accounts, which may contain phone numbers. */
export function clearRecent(): void {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) localStorage.removeItem(key);
  } catch {
    // Without local storage, there is nothing to delete.
  }
}
