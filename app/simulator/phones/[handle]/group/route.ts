import { endpoint } from "@/lib/runtime/http/endpoint";
import { ChangeGroupOnPhone, changeGroupOnPhone } from "@/lib/simulator/phone-actions/change-group-on-phone";

export const PUT = endpoint(ChangeGroupOnPhone, changeGroupOnPhone);
