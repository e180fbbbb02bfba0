import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { AddSimulatedLine, addSimulatedLine } from "@/lib/simulator/lines/add-simulated-line";

export const POST = endpoint(AddSimulatedLine, addSimulatedLine, authenticateSession);
