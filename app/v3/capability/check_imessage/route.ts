import { endpoint } from "@/lib/http/endpoint";
import { CheckIMessage, checkIMessage } from "@/lib/lines/lines/check-capability";

export const POST = endpoint(CheckIMessage, checkIMessage);
