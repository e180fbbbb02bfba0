import { SuggestLine, suggestLine } from "@/lib/lines/lines/suggest-line";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(SuggestLine, suggestLine);
