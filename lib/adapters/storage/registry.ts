import "server-only";
import path from "node:path";
import { createDiskStore } from "@/lib/adapters/storage/disk/disk-store";
import type { ObjectStore } from "@/lib/adapters/storage/object-store";
import { env } from "@/lib/platform/env";

let store: ObjectStore | undefined;

/** The store of this instance. */
export function objectStore(): ObjectStore {
  store ??= createDiskStore(path.resolve(env().DATA_DIR, "objects"));
  return store;
}
