import "server-only";

const MEMBERS_LEAST = 3;
const MAX_MEMBERS = 32;

/** The members of a group, including the line, once all accepted changes are done. */
export interface Members {
  active: ReadonlySet<string>;
  ownHandle: string;
}

/** Returns why a participant can't be added to a group, or null (docs/contract.md, section 5.3). */
export function findAddError({ active }: Members, handle: string): string | null {
  if (active.has(handle)) return `${handle} is already in the group`;
  if (active.size < MEMBERS_LEAST)
    return `participants can be added only to groups with at least ${MEMBERS_LEAST} members`;
  if (active.size >= MAX_MEMBERS) return `a group can have at most ${MAX_MEMBERS} members`;
  return null;
}

/** Returns why a participant can't be removed from a group, or null. */
export function findRemoveError({ active, ownHandle }: Members, handle: string): string | null {
  if (handle === ownHandle) return "a line can't remove itself: use POST /v3/chats/{chatId}/leave";
  if (!active.has(handle)) return `${handle} is not in the group`;
  return findSizeError(active);
}

/** Returns why the line can't leave a group, or null. */
export function findLeaveError({ active }: Members): string | null {
  return findSizeError(active);
}

function findSizeError(active: ReadonlySet<string>): string | null {
  return active.size - 1 < MEMBERS_LEAST ? `at least ${MEMBERS_LEAST} members must remain` : null;
}
