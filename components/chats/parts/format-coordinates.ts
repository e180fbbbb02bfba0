/** 37.7749, -122.4194 → "37.77490° N, 122.41940° W". Five digits are about a meter. */
export function formatCoordinates(latitude: number, longitude: number): string {
  const north = `${Math.abs(latitude).toFixed(5)}° ${latitude < 0 ? "S" : "N"}`;
  const east = `${Math.abs(longitude).toFixed(5)}° ${longitude < 0 ? "W" : "E"}`;
  return `${north}, ${east}`;
}
