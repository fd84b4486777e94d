import { parseSync } from 'vite';

/** One place where a file names another module. */
export interface Import {
  /** What is written; null when it is computed, so that nobody can say what it names. */
  readonly from: string | null;
  /** `type`: gone after compilation. `static`: read when the file is read. `dynamic`: read when that line runs. */
  readonly kind: 'type' | 'static' | 'dynamic';
  readonly line: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** Every import of a TypeScript source, however it is written; throws when the source cannot be parsed. */
export function readImports(file: string, source: string): readonly Import[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: Import[] = [];
  visit(program, (node) => {
    const kind = kindOf(node);
    if (kind === null) return;
    found.push({ from: nameOf(node), kind, line: source.slice(0, node.start).split('\n').length });
  });
  return found;
}

function kindOf(node: Node): Import['kind'] | null {
  switch (node.type) {
    case 'ImportDeclaration':
      return node['importKind'] === 'type' ? 'type' : 'static';
    case 'ExportAllDeclaration':
      return node['exportKind'] === 'type' ? 'type' : 'static';
    case 'ExportNamedDeclaration':
      if (node['source'] === null) return null;
      return node['exportKind'] === 'type' ? 'type' : 'static';
    case 'TSImportType':
      return 'type';
    case 'TSExternalModuleReference':
      return 'static';
    case 'ImportExpression':
      return 'dynamic';
    case 'CallExpression':
      return isRequire(node['callee']) ? 'static' : null;
    default:
      return null;
  }
}

function isRequire(callee: unknown): boolean {
  return isNode(callee) && callee.type === 'Identifier' && callee['name'] === 'require';
}

function nameOf(node: Node): string | null {
  const source = node['source'] ?? node['expression'] ?? (node['arguments'] as unknown[] | undefined)?.[0];
  if (!isNode(source)) return null;
  if (source.type === 'Literal' && typeof source['value'] === 'string') return source['value'];
  return null;
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, see);
  } else if (isNode(node)) {
    see(node);
    for (const value of Object.values(node)) visit(value, see);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
