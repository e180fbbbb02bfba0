import { RequestLocation, requestLocation } from "@/lib/messaging/locations/request-location";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(RequestLocation, requestLocation);
