import { ListLinesDeprecated, listLinesDeprecated } from "@/lib/lines/lines/list-lines-deprecated";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListLinesDeprecated, listLinesDeprecated);
