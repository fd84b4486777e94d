/** A coppice with which something happens at one of its own calls to the file system. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment.ts';
import type { Repository } from './repository.ts';

/** A coppice in which `code` runs when it begins; `fs` and `fail(code)` are there for it. */
export function meddling(r: Repository, code: string): Environment {
  const program = join(r.places.root, 'meddle.cjs');
  writeFileSync(
    program,
    `const fs = require('node:fs');
const fail = (code) => { throw Object.assign(new Error(code), { code, errno: -5 }); };
const after = (name, deed) => {
  const real = fs[name];
  fs[name] = function (...args) { const result = real.apply(this, args); deed(...args.map(String)); return result; };
};
const before = (name, deed) => {
  const real = fs[name];
  fs[name] = function (...args) { deed(...args.map(String)); return real.apply(this, args); };
};
${code}
require('node:module').syncBuiltinESMExports();
`,
  );
  return { ...r.env, NODE_OPTIONS: `--require ${program}` };
}
