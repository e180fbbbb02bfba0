import { endpoint } from "@/lib/runtime/http/endpoint";
import { ChangeLine, changeLine } from "@/lib/simulator/lines/change-line";

export const PUT = endpoint(ChangeLine, changeLine);
