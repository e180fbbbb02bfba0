import { LEFT, PAGE, readStored } from "@/components/composer/stored-unsent";

const PREFIX = "trunkline:page:";
/** Resolves when this page has its lock. */
let locked: Promise<void> | null = null;
let unlock: () => void = () => {};

/**
 * The pages with stored messages that the browser has ended: each page holds a Web Lock with its name. Null where browsers
 * have no Web Locks, as on plain http: there, the time since a page's last sign of life has to do.
 */
export function findEndedPages(): Promise<ReadonlySet<string>> | null {
  return navigator.locks === undefined ? null : findWithoutLock(navigator.locks);
}

async function findWithoutLock(locks: LockManager): Promise<ReadonlySet<string>> {
  try {
    // First, because others take a page without its lock for one that has ended.
    locked ??= lockOwn(locks);
    await locked;
    const pages = new Set([...(readStored()?.values() ?? [])].map(({ page }) => page));
    const { held = [], pending = [] } = await locks.query();
    for (const { name } of [...held, ...pending]) pages.delete((name ?? "").slice(PREFIX.length));
    pages.delete(LEFT);
    return pages;
  } catch {
    return new Set();
  }
}

function lockOwn(locks: LockManager): Promise<void> {
  return new Promise((resolve, reject) => {
    const hold = () => {
      resolve();
      return new Promise<void>((end) => {
        unlock = end;
      });
    };
    Promise.resolve(locks.request(PREFIX + PAGE, hold)).catch(reject);
  });
}

/** Ends this page's lock until it looks for others again: a browser may keep only pages without one to go back to. */
export function unlockPage(): void {
  unlock();
  locked = null;
}
