import { endpoint } from "@/lib/http/endpoint";
import { SetForwardingNumber, setForwardingNumber } from "@/lib/lines/lines/set-forwarding-number";

export const PUT = endpoint(SetForwardingNumber, setForwardingNumber);
