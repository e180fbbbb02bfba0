import { ListLines, listLines } from "@/lib/lines/lines/list-lines";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListLines, listLines);
