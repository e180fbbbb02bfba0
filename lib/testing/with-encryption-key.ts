import { vi } from "vitest";

/**
 * Loads modules as a process with another ENCRYPTION_KEY has them, on the same database. Modules loaded before keep the
 * key they were loaded with.
 */
export async function withEncryptionKey<Modules>(
  keys: string,
  load: () => Promise<Modules>,
): Promise<Modules> {
  process.env.ENCRYPTION_KEY = keys;
  vi.resetModules();
  const modules = await load();
  // Keys are read once, at first use.
  const { sealingKeyIds } = await import("@/lib/platform/crypto");
  sealingKeyIds();
  return modules;
}

/** A key of 32 equal bytes, as ENCRYPTION_KEY holds it. */
export function testKey(id: string, byte: number): string {
  return `${id}:${Buffer.alloc(32, byte).toString("base64")}`;
}
