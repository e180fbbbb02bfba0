import "server-only";

/** The memory of chunks that only the consumer of their stream uses. */
const owned = new WeakSet<ArrayBuffer>();

/** Lets the consumer of a stream release this chunk, unless the chunk shares its memory with other data. */
export function ownChunk({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) owned.add(buffer);
}

/**
 * Frees the memory of an owned chunk after its last use, and leaves other chunks unchanged. Otherwise V8 would collect
 * the garbage of its whole heap after about every 64 MB of chunks, which costs more CPU than receiving and storing them.
 */
export function releaseChunk({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && owned.delete(buffer)) buffer.transfer(0);
}
