import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { CreateSimulatedLine, createSimulatedLine } from "@/lib/simulator/lines/create-simulated-line";

export const POST = endpoint(CreateSimulatedLine, createSimulatedLine, authenticateSession);
