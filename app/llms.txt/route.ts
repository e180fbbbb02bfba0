import { textResponse } from "@/lib/runtime/docs/text-response";
import { writeLlmsText } from "@/lib/runtime/docs/write-llms-text";

// The links contain this instance's URL, which is only known at run time.
export const dynamic = "force-dynamic";

export function GET(): Response {
  return textResponse(writeLlmsText(), "text/plain");
}
