import "server-only";
import { BODY_LIMIT_BYTES, type Contract } from "@/lib/platform/contract";
import { ApiError, fail } from "@/lib/platform/errors";

/** The body of a request as text; empty where the contract takes none. Errors: body_invalid, over the limit. */
export async function readText(contract: Contract, request: Request): Promise<string> {
  if (contract.body === undefined) return "";
  const limit = contract.bodyLimitBytes ?? BODY_LIMIT_BYTES;
  const tooLarge = () => fail("body_invalid", `the body is larger than ${limit} bytes`);
  const length = request.headers.get("content-length");
  if (length !== null) {
    if (Number(length) > limit) tooLarge();
    return request.text().catch(cutShort);
  }
  if (request.body === null) return "";
  return readStream(request.body, limit, tooLarge).catch(cutShort);
}

// Whoever sent it has gone, or has sent chunks that are none: no fault of this side.
function cutShort(error: unknown): never {
  if (error instanceof ApiError) throw error;
  return fail("body_invalid", "the body ended before it was whole");
}

// Without Content-Length the bytes are counted as they come, so an endless body stops at the limit.
async function readStream(
  body: ReadableStream<Uint8Array>,
  limit: number,
  tooLarge: () => never,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
