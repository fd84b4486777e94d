declare const COPPICE_VERSION: string | undefined;

/** coppice's own version, set when it is built. */
export const coppiceVersion: string = typeof COPPICE_VERSION === 'string' ? COPPICE_VERSION : 'unbuilt';
