import { SuggestLine, suggestLine } from "@/lib/lines/senders/suggest-line";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(SuggestLine, suggestLine);
