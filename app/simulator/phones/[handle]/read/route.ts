import { endpoint } from "@/lib/runtime/http/endpoint";
import { ReadOnPhone, readOnPhone } from "@/lib/simulator/phone-actions/read-on-phone";

export const POST = endpoint(ReadOnPhone, readOnPhone);
