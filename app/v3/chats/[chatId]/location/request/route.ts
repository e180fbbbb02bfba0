import { endpoint } from "@/lib/http/endpoint";
import { RequestLocation, requestLocation } from "@/lib/locations/request-location";

export const POST = endpoint(RequestLocation, requestLocation);
