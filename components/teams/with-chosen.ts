/** A person or a team to choose. */
export type Choice = { id: string; name: string };

/**
 * The choices, with a chosen one that is gone or not loaded yet. The previous release answers without the field of a
 * chat's team, so `chosen` may be undefined.
 */
export function withChosen(all: readonly Choice[], chosen: Choice | null | undefined): Choice[] {
  if (!chosen || all.some(({ id }) => id === chosen.id)) return [...all];
  return [...all, chosen];
}
