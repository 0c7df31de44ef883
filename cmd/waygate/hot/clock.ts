/** Stands in for `performance` in the hook's bundle, which Node loads with its observers. Milliseconds since the start of the process's clock. */
export const waygateClock = {
  now(): number {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
};
