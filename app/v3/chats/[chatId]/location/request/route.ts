import { endpoint } from "@/lib/http/endpoint";
import { RequestLocation, requestLocation } from "@/lib/messaging/locations/request-location";

export const POST = endpoint(RequestLocation, requestLocation);
