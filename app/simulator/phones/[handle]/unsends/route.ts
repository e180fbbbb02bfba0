import { endpoint } from "@/lib/runtime/http/endpoint";
import { UnsendOnPhone, unsendOnPhone } from "@/lib/simulator/phone-actions/unsend-on-phone";

export const POST = endpoint(UnsendOnPhone, unsendOnPhone);
