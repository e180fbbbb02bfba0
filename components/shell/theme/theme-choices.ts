import { Monitor, Moon, Sun } from "lucide-react";

export const themeChoices = [
  { id: "light", label: "Light", icon: Sun },
  { id: "dark", label: "Dark", icon: Moon },
  { id: "system", label: "System", icon: Monitor },
];
