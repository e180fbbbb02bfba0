import { textResponse } from "@/lib/docs/documents/text-response";
import { writeLlmsText } from "@/lib/docs/documents/write-llms-text";

// The links contain this instance's URL, which is only known at run time.
export const dynamic = "force-dynamic";

export function GET(): Response {
  return textResponse(writeLlmsText(), "text/plain");
}
