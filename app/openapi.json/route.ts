export { GET } from "@/app/docs/openapi.json/route";
