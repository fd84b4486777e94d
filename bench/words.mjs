/** Text that looks like source code to git: repeated short lines, blank lines, long lines that are almost unique. */

const NOUNS = (
  'account alarm anchor badge basket beacon bridge bucket canvas catalog channel cluster column cursor delta device ' +
  'digest engine envelope factor fleet folder gateway glyph harbor invoice journal kernel ledger lesson locale marker ' +
  'matrix meadow mirror notice orbit order packet pallet parcel pillar policy portal profile quota radar record region ' +
  'report rocket sample schema sensor signal socket sprite staple summary tablet tariff ticket timer vector vessel widget'
).split(' ');
const VERBS = (
  'accept adjust attach bind check clear close collect count drain drop emit join list load mark move open ' +
  'pack pause print prune pull push reset resume send sort split start store track trim unpack update verify ' +
  'wrap'
).split(' ');
const FOLDERS = (
  'api app auth billing client common core data docs events forms i18n infra jobs layout mail model net ' +
  'pages queue reports rules server shared storage style sync tasks tools types ui util vendor'
).split(' ');
const AUTHORS = ['Ines Marsh', 'Jonas Vale', 'Kofi Brook', 'Lena Stone', 'Mira Field', 'Nils Grove'];
const SUFFIXES = ['ts', 'ts', 'ts', 'tsx', 'py', 'md', 'css', 'json', 'sh'];

export function wordsFrom(random) {
  const { below, pick, chance, between } = random;
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  const name = () => pick(VERBS) + capital(pick(NOUNS)) + (chance(0.25) ? below(100) : '');
  const shapes = [
    () => '',
    () => '  }',
    () => '});',
    () => `  const ${pick(NOUNS)} = ${name()}(${pick(NOUNS)}, ${below(5000)});`,
    () => `  ${name()}(${pick(NOUNS)}.${pick(NOUNS)});`,
    () => `  if (${pick(NOUNS)}.${pick(NOUNS)} > ${below(200)}) ${name()}(${pick(NOUNS)});`,
    () => `export function ${name()}(${pick(NOUNS)}: ${capital(pick(NOUNS))}): ${capital(pick(NOUNS))} {`,
    () =>
      `// ${capital(pick(VERBS))} every ${pick(NOUNS)} of the ${pick(NOUNS)} before ${below(10000)} ${pick(NOUNS)}s`,
    () => `    return { ${pick(NOUNS)}: ${name()}(${pick(NOUNS)}), ${pick(NOUNS)}: '${pick(NOUNS)}-${below(10000)}' };`,
  ];
  let serial = 0;
  return {
    line: () => pick(shapes)(),

    /** Unique by its number; `depth` folders at most. */
    path(depth, suffix = pick(SUFFIXES)) {
      const folders = Array.from({ length: between(1, depth) }, () => pick(FOLDERS));
      serial += 1;
      return `${folders.join('/')}/${pick(NOUNS)}-${pick(NOUNS)}-${serial}.${suffix}`;
    },

    branch: (number) =>
      `${pick(['feature', 'fix', 'ines', 'jonas/wip', 'topic'])}/${pick(VERBS)}-${pick(NOUNS)}-${String(number).padStart(5, '0')}`,

    subject: () => `${capital(pick(VERBS))} ${pick(NOUNS)} ${pick(['in', 'of', 'for', 'after'])} ${pick(NOUNS)}`,

    author() {
      const author = pick(AUTHORS);
      return `${author} <${author.toLowerCase().replace(' ', '.')}@example.org>`;
    },

    bytes(length) {
      const bytes = Buffer.alloc(length);
      for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(below(2 ** 32), at);
      return bytes;
    },
  };
}
