/** What is used of the package; it brings no types of its own. */
declare module 'fs-native-extensions' {
  /** False: another open file has a lock on it. Throws the system's own fault. */
  export function tryLock(descriptor: number): boolean;
}
