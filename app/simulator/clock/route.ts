import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  ChangeClock,
  ControlClock,
  changeClock,
  controlClock,
  GetClock,
  getClock,
} from "@/lib/simulator/clock/change-clock";

export const GET = endpoint(GetClock, getClock);
export const PUT = endpoint(ChangeClock, changeClock);
export const POST = endpoint(ControlClock, controlClock);
