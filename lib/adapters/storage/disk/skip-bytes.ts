import "server-only";

/** The rest of chunks after their first `count` bytes, without empty chunks. The chunks themselves do not change. */
export function skipBytes(chunks: readonly Uint8Array[], count: number): Uint8Array[] {
  let skipped = 0;
  return chunks.flatMap((chunk) => {
    const rest = chunk.subarray(Math.min(count - skipped, chunk.byteLength));
    skipped += chunk.byteLength - rest.byteLength;
    return rest.byteLength > 0 ? [rest] : [];
  });
}
