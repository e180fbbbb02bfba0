import { CheckIMessage, checkIMessage } from "@/lib/lines/capability/check-capability";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(CheckIMessage, checkIMessage);
