import { vi } from "vitest";

/**
 * Loads modules as in a process with another ENCRYPTION_KEY on the same database. Modules that are already loaded keep
 * their key.
 */
export async function withEncryptionKey<Modules>(
  keys: string,
  load: () => Promise<Modules>,
): Promise<Modules> {
  process.env.ENCRYPTION_KEY = keys;
  vi.resetModules();
  const modules = await load();
  // Keys are read only once, at first use.
  const { sealingKeyIds } = await import("@/lib/platform/crypto/crypto");
  sealingKeyIds();
  return modules;
}

/** A key of 32 equal bytes in the format of ENCRYPTION_KEY. */
export function testKey(id: string, byte: number): string {
  return `${id}:${Buffer.alloc(32, byte).toString("base64")}`;
}
