import { SetForwardingNumber, setForwardingNumber } from "@/lib/lines/lines/set-forwarding-number";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PUT = endpoint(SetForwardingNumber, setForwardingNumber);
