import { StopLocation, stopLocation } from "@/lib/messaging/locations/stop-location";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(StopLocation, stopLocation);
