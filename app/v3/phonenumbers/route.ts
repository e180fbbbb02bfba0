import { endpoint } from "@/lib/http/endpoint";
import { ListLinesDeprecated, listLinesDeprecated } from "@/lib/lines/lines/list-lines-deprecated";

export const GET = endpoint(ListLinesDeprecated, listLinesDeprecated);
