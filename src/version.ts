declare const COPPICE_VERSION: string | undefined;
declare const COPPICE_BUILD: string | undefined;

/** coppice's own version, set when it is built. */
export const coppiceVersion: string = typeof COPPICE_VERSION === 'string' ? COPPICE_VERSION : 'unbuilt';

/** A text that differs for two builds of different sources, also of the same version. */
export const coppiceBuild: string = typeof COPPICE_BUILD === 'string' ? COPPICE_BUILD : 'unbuilt';
