/** Writes the input of `git fast-import`: blobs by mark, so that a file is sent once however many commits name it. */
export class ImportStream {
  #parts = [];
  #size = 0;
  #mark = 0;
  #tips = new Map();
  #clock = 1_600_000_000;
  #words;
  #random;

  constructor(random, words) {
    this.#random = random;
    this.#words = words;
  }

  /** Bytes that wait to be taken. */
  get waiting() {
    return this.#size;
  }

  take() {
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return bytes;
  }

  /** `changes` maps paths to files, or to null for a deletion. */
  commit({ ref, message, author = this.#words.author(), parents, changes }) {
    const lines = [];
    for (const [path, file] of changes) {
      lines.push(file === null ? `D ${path}\n` : `M ${file.mode} :${this.#blob(file)} ${path}\n`);
    }
    this.#mark += 1;
    this.#clock += this.#random.between(60, 900);
    const signature = `${author} ${this.#clock} +0000`;
    this.#write(`commit ${ref}\nmark :${this.#mark}\nauthor ${signature}\ncommitter ${signature}\n`);
    this.#data(Buffer.from(message));
    const [first, ...others] = parents;
    // Naming the parent that the ref is at already would make git read the tree again.
    if (first !== undefined && this.#tips.get(ref) !== first) this.#write(`from :${first}\n`);
    for (const other of others) this.#write(`merge :${other}\n`);
    this.#write(`${lines.join('')}\n`);
    this.#tips.set(ref, this.#mark);
    return this.#mark;
  }

  reset(ref, mark) {
    this.#write(`reset ${ref}\nfrom :${mark}\n\n`);
    this.#tips.set(ref, mark);
  }

  done() {
    this.#write('done\n');
  }

  #blob(file) {
    if (file.blob === undefined) {
      this.#mark += 1;
      file.blob = this.#mark;
      this.#write(`blob\nmark :${this.#mark}\n`);
      this.#data(file.bytes ?? Buffer.from(file.lines.map((line) => `${line.text}\n`).join('')));
    }
    return file.blob;
  }

  #data(bytes) {
    this.#write(`data ${bytes.length}\n`);
    this.#write(bytes);
    this.#write('\n');
  }

  #write(part) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    this.#parts.push(bytes);
    this.#size += bytes.length;
  }
}
