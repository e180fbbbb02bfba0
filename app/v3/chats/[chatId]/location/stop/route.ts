import { endpoint } from "@/lib/http/endpoint";
import { StopLocation, stopLocation } from "@/lib/messaging/locations/stop-location";

export const POST = endpoint(StopLocation, stopLocation);
