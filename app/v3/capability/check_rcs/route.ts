import { endpoint } from "@/lib/http/endpoint";
import { CheckRcs, checkRcs } from "@/lib/lines/lines/check-capability";

export const POST = endpoint(CheckRcs, checkRcs);
