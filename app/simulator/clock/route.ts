import { endpoint } from "@/lib/runtime/http/endpoint";
import { ChangeClock, changeClock, GetClock, getClock } from "@/lib/simulator/change-clock";

export const GET = endpoint(GetClock, getClock);
export const PUT = endpoint(ChangeClock, changeClock);
