/** Caches the results of `make` for the last `most` different keys. Errors are not cached. */
export function memoize<Result>(most: number, make: (key: string) => Result): (key: string) => Result {
  const kept = new Map<string, Result>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    kept.set(key, made);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return made;
  };
}
