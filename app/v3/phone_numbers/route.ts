import { endpoint } from "@/lib/http/endpoint";
import { ListLines, listLines } from "@/lib/lines/lines/list-lines";

export const GET = endpoint(ListLines, listLines);
