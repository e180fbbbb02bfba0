import api from "@/openapi.json";

export function GET(): Response {
  return Response.json(api);
}
