import simulator from "@/openapi-simulator.json";

export function GET(): Response {
  return Response.json(simulator);
}
