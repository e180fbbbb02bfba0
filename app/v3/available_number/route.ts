import { endpoint } from "@/lib/http/endpoint";
import { SuggestLine, suggestLine } from "@/lib/lines/lines/suggest-line";

export const GET = endpoint(SuggestLine, suggestLine);
