// SPDX-License-Identifier: MIT
// The laboratory: a flat map that one draws in, start and goal anywhere, any algorithms beside each
// other. The map is the command's; this page keeps a copy to draw. All searching is the library's.
import * as address from './address';
import { Batch } from './batch';
import { isDark, ways } from './colours';
import type { Binary, Link } from './link';
import { byId, choice, download, el, heading, short, time, toast } from './ui';

export interface LabPath {
    name?: string; // as `octant lab` has it, of a run
    algorithm: string;
    graph: string;
    variant: string;
    status: string;
    length: number | null;
    turning: number | null; // degrees
    optimum?: number | null;
    graphUs: number | null;
    pathUs: number | null;
    expanded: number | null;
    nodes: number | null;
    sightChecks: number | null;
    graphNodes: number | null;
    graphEdges: number | null;
    points: number[][];
}

export interface LabFacts {
    width: number;
    height: number;
    algorithms: { name: string; graphs: string[] }[];
    heuristics: string[];
    usual: string[];
    paths: LabPath[];
    squeeze: boolean;
    start?: number[];
    goal?: number[];
}

const BRUSHES = ['1', '2', '4', '8', '16'];
const SNAPS = ['corner', 'centre', 'none'] as const;
const OVERLAYS = ['grid graph', 'visibility graph', 'blocks', 'potentials'] as const;
const UNDO_MAX = 200;
const PIECE = 40000; // characters of a file in one question
const RUNS = 4000; // numbers of cells in one edit

type Tool = 'draw' | 'erase' | 'start' | 'goal' | 'move';

export class LabView {
    private rows!: Uint8Array; // 1 = blocked
    private width = 0;
    private height = 0;
    private start: number[] | null = null;
    private goal: number[] | null = null;
    private tool: Tool = 'draw';
    private brush = 2;
    private snap: typeof SNAPS[number] = 'corner';
    private squeeze = false;
    private chosen: string[] = [];
    private paths: LabPath[] = [];
    private readonly hidden = new Set<string>();
    private readonly overlays = new Set<string>();
    private pairs: Int32Array | null = null;
    private undone: Uint8Array[] = [];
    private stroke: { before: Uint8Array; last: number[] } | null = null;
    private scale = 8; // pixels a cell
    private offset = [0, 0]; // of the map's corner, pixels
    private pan: number[] | null = null;
    private running = false;
    private isStale = false; // paths are of the map as it was
    private message = '';
    private readonly canvas = el('canvas', { id: 'lab', tabindex: '0' });
    private readonly batch: Batch;
    private setTool!: (word: string) => void;

    static async open(link: Link, item: number): Promise<LabView> {
        const view = new LabView(link, item, await link.ask<LabFacts>('lab', { item }));
        await view.fetchRows();
        view.take(view.facts);
        view.fit();
        return view;
    }

    private constructor(private readonly link: Link, private readonly item: number, private facts: LabFacts) {
        this.batch = new Batch(link, item, () => ({ algorithms: this.chosen.join(','), squeeze: this.squeeze }));
        const kept = (address.get('algorithms') ?? '').split(',').filter((w) => w !== '');
        this.chosen = kept.length > 0 ? kept : ['theta:lattice', 'astar:lattice:euclidean', 'anya:intervals'];
        const view = byId('view');
        byId('canvas').hidden = true;
        view.append(this.canvas);
        byId('export').onclick = () => download('octant-lab.png', this.canvas.toDataURL('image/png'));
        new ResizeObserver(() => this.draw()).observe(view);
        this.canvas.addEventListener('pointerdown', (e) => this.down(e));
        this.canvas.addEventListener('pointermove', (e) => this.moved(e));
        this.canvas.addEventListener('pointerup', () => this.up());
        this.canvas.addEventListener('contextmenu', (e) => e.preventDefault());
        this.canvas.addEventListener('wheel', (e) => this.zoom(e), { passive: false });
        this.squeeze = facts.squeeze || address.get('squeeze') === '1';
        this.controls();
        for (const [key, set] of [['start', (p: number[]) => (this.start = p)], ['goal', (p: number[]) => (this.goal = p)]] as const) {
            const at = address.getNumbers(key, 2);
            if (at) {
                set(at);
            }
        }
    }

    // ---- the map ----

    private async fetchRows(): Promise<void> {
        const answer = await this.link.ask<Binary>('lab_rows', { item: this.item });
        this.width = answer.first;
        this.height = answer.second;
        this.rows = Uint8Array.from(answer.bytes, (c) => (c === 0x2e ? 0 : 1));
    }

    // What a question about the map was answered with.
    private take(facts: LabFacts): void {
        this.facts = facts;
        this.paths = facts.paths;
        this.isStale = false;
        if (facts.start && facts.goal) {
            this.start = facts.start;
            this.goal = facts.goal;
        }
        for (const end of ['start', 'goal'] as const) {
            const at = this[end];
            if (at && (at[0]! > this.width || at[1]! > this.height)) {
                this[end] = null;
            }
        }
        this.pairs = null;
        if (this.overlays.has('visibility graph')) {
            void this.fetchPairs();
        }
        let blocked = 0;
        this.rows.forEach((b) => (blocked += b));
        byId('facts').textContent = `${this.width} × ${this.height} cells, ${((100 * blocked) / this.rows.length).toFixed(1)} % blocked`;
        this.table();
        this.draw();
    }

    async renew(ask: string, more: Record<string, unknown>): Promise<void> {
        try {
            const facts = await this.link.ask<LabFacts>(ask, { item: this.item, ...more });
            await this.fetchRows();
            this.undone = [];
            this.take(facts);
            this.fit();
            this.say('');
        } catch (error) {
            this.say((error as Error).message);
        }
    }

    private say(words: string): void {
        this.message = words;
        byId('lab-message').textContent = words;
    }

    // Tells the command what is no longer as it was.
    private async send(before: Uint8Array): Promise<void> {
        const runs: number[] = [];
        for (let y = 0; y < this.height; y++) {
            for (let x = 0; x < this.width;) {
                const at = y * this.width + x, value = this.rows[at]!;
                if (before[at] === value) {
                    x++;
                    continue;
                }
                let n = 1;
                while (x + n < this.width && this.rows[at + n] === value && before[at + n] !== value) {
                    n++;
                }
                runs.push(x, y, n, value);
                x += n;
            }
        }
        if (runs.length === 0) {
            return;
        }
        this.isStale = this.paths.length > 0;
        for (let i = 0; i < runs.length; i += RUNS) {
            await this.link.ask('lab_edit', { item: this.item, runs: runs.slice(i, i + RUNS) });
        }
        this.take({ ...this.facts, paths: this.paths, start: undefined!, goal: undefined! });
        this.isStale = this.paths.length > 0;
        this.table();
        this.draw();
    }

    private async undo(): Promise<void> {
        const before = this.undone.pop();
        if (before) {
            const now = this.rows;
            this.rows = before;
            await this.send(now);
        }
    }

    // ---- the pointer ----

    private cellsAt(e: PointerEvent | WheelEvent): number[] {
        const box = this.canvas.getBoundingClientRect();
        return [(e.clientX - box.left - this.offset[0]!) / this.scale, (e.clientY - box.top - this.offset[1]!) / this.scale];
    }

    private snapped(at: number[]): number[] {
        const most = [this.width, this.height];
        return at.map((c, i) => Math.min(Math.max(this.snap === 'corner' ? Math.round(c)
            : this.snap === 'centre' ? Math.min(Math.floor(c), most[i]! - 1) + 0.5 : Math.round(c * 256) / 256, 0), most[i]!));
    }

    private down(e: PointerEvent): void {
        this.canvas.setPointerCapture(e.pointerId);
        if (e.button === 1 || this.tool === 'move') {
            this.pan = [e.clientX, e.clientY];
        } else if (this.tool === 'start' || this.tool === 'goal') {
            this.put(this.tool, this.snapped(this.cellsAt(e)));
        } else {
            this.stroke = { before: this.rows.slice(), last: this.cellsAt(e) };
            this.paint(this.cellsAt(e), e.button === 2 || this.tool === 'erase' ? 0 : 1);
        }
    }

    private moved(e: PointerEvent): void {
        if (this.pan) {
            this.offset = [this.offset[0]! + e.clientX - this.pan[0]!, this.offset[1]! + e.clientY - this.pan[1]!];
            this.pan = [e.clientX, e.clientY];
            this.draw();
        } else if (this.stroke) {
            this.paint(this.cellsAt(e), (e.buttons & 2) !== 0 || this.tool === 'erase' ? 0 : 1);
        } else if (e.buttons === 1 && (this.tool === 'start' || this.tool === 'goal')) {
            this.put(this.tool, this.snapped(this.cellsAt(e)));
        }
    }

    private up(): void {
        this.pan = null;
        if (this.stroke) {
            const { before } = this.stroke;
            this.stroke = null;
            this.undone.push(before);
            this.undone = this.undone.slice(-UNDO_MAX);
            void this.send(before);
        }
    }

    // Along the line from where the brush was.
    private paint(to: number[], value: number): void {
        const from = this.stroke!.last, steps = Math.max(1, Math.ceil(2 * Math.hypot(to[0]! - from[0]!, to[1]! - from[1]!)));
        for (let i = 0; i <= steps; i++) {
            const [cx, cy] = [0, 1].map((k) => Math.floor(from[k]! + ((to[k]! - from[k]!) * i) / steps - (this.brush - 1) / 2)) as [number, number];
            for (let y = Math.max(cy, 0); y < Math.min(cy + this.brush, this.height); y++) {
                for (let x = Math.max(cx, 0); x < Math.min(cx + this.brush, this.width); x++) {
                    this.rows[y * this.width + x] = value;
                }
            }
        }
        this.stroke!.last = to;
        this.draw();
    }

    put(end: 'start' | 'goal', at: number[]): void {
        this[end] = at;
        address.setNumbers(end, at);
        this.isStale = this.paths.length > 0;
        this.table();
        this.draw();
    }

    private zoom(e: WheelEvent): void {
        e.preventDefault();
        const at = this.cellsAt(e), by = Math.exp(-e.deltaY / 400);
        const scale = Math.min(Math.max(this.scale * by, 0.25), 100);
        this.offset = this.offset.map((o, i) => o + at[i]! * (this.scale - scale));
        this.scale = scale;
        this.draw();
    }

    fit(): void {
        const w = this.canvas.parentElement!.clientWidth, h = this.canvas.parentElement!.clientHeight;
        this.scale = Math.min((w - 40) / this.width, (h - 40) / this.height);
        this.offset = [(w - this.width * this.scale) / 2, (h - this.height * this.scale) / 2];
        this.draw();
    }

    // ---- the picture ----

    draw(): void {
        const w = this.canvas.parentElement!.clientWidth, h = this.canvas.parentElement!.clientHeight;
        this.canvas.width = w;
        this.canvas.height = h;
        const c = this.canvas.getContext('2d')!;
        c.fillStyle = isDark() ? '#11151b' : '#eef1f5';
        c.fillRect(0, 0, w, h);
        c.setTransform(this.scale, 0, 0, this.scale, this.offset[0]!, this.offset[1]!);
        c.fillStyle = isDark() ? '#222b36' : '#ffffff';
        c.fillRect(0, 0, this.width, this.height);
        if (this.overlays.has('potentials')) {
            this.drawPotentials(c);
        }
        this.drawCells(c);
        this.drawLines(c);
        this.paths.forEach((p, i) => !this.hidden.has(this.nameOf(p)) && this.drawPath(c, p, ways[i % ways.length]!));
        this.drawEnd(c, this.start, '#0b7a4b', 'S');
        this.drawEnd(c, this.goal, '#b0256b', 'G');
        c.setTransform(1, 0, 0, 1, 0, 0);
    }

    private drawCells(c: CanvasRenderingContext2D): void {
        c.fillStyle = isDark() ? '#8290a3' : '#5f6f83';
        for (let y = 0; y < this.height; y++) {
            for (let x = 0; x < this.width;) {
                let n = 0;
                while (x + n < this.width && this.rows[y * this.width + x + n]) {
                    n++;
                }
                if (n > 0) {
                    c.fillRect(x, y, n, 1);
                }
                x += n + 1;
            }
        }
        c.strokeStyle = isDark() ? '#53606f' : '#9aa7b5';
        c.lineWidth = 1.5 / this.scale;
        c.strokeRect(0, 0, this.width, this.height);
    }

    private grid(c: CanvasRenderingContext2D, step: number, colour: string, width: number): void {
        c.strokeStyle = colour;
        c.lineWidth = width / this.scale;
        c.beginPath();
        for (let x = 0; x <= this.width; x += step) {
            c.moveTo(x, 0);
            c.lineTo(x, this.height);
        }
        for (let y = 0; y <= this.height; y += step) {
            c.moveTo(0, y);
            c.lineTo(this.width, y);
        }
        c.stroke();
    }

    private drawLines(c: CanvasRenderingContext2D): void {
        if (this.scale >= 6) {
            this.grid(c, 1, isDark() ? '#ffffff14' : '#00000012', 1);
        }
        if (this.overlays.has('grid graph') && this.scale >= 3) {
            this.drawGridGraph(c);
        }
        if (this.overlays.has('blocks')) {
            this.grid(c, 4, '#d55e00', 1.5);
        }
        if (this.overlays.has('visibility graph') && this.pairs) {
            c.strokeStyle = '#cc79a799';
            c.lineWidth = 1 / this.scale;
            c.beginPath();
            for (let i = 0; i < this.pairs.length; i += 4) {
                c.moveTo(this.pairs[i]!, this.pairs[i + 1]!);
                c.lineTo(this.pairs[i + 2]!, this.pairs[i + 3]!);
            }
            c.stroke();
        }
    }

    private isBlocked(x: number, y: number): boolean {
        return x < 0 || y < 0 || x >= this.width || y >= this.height || this.rows[y * this.width + x] === 1;
    }

    // Moves between corners of cells: along an edge that a free cell touches, or across a free cell.
    private drawGridGraph(c: CanvasRenderingContext2D): void {
        c.strokeStyle = '#0072b266';
        c.lineWidth = 1 / this.scale;
        c.beginPath();
        for (let y = 0; y <= this.height; y++) {
            for (let x = 0; x <= this.width; x++) {
                if (!this.isBlocked(x, y) || !this.isBlocked(x, y - 1)) {
                    c.moveTo(x, y);
                    c.lineTo(x + 1, y);
                }
                if (!this.isBlocked(x, y) || !this.isBlocked(x - 1, y)) {
                    c.moveTo(x, y);
                    c.lineTo(x, y + 1);
                }
                if (!this.isBlocked(x, y)) {
                    c.moveTo(x, y);
                    c.lineTo(x + 1, y + 1);
                    c.moveTo(x + 1, y);
                    c.lineTo(x, y + 1);
                }
            }
        }
        c.stroke();
    }

    // Of free cells: 1, and more beside blocked ones, by the clustering of the form.
    private drawPotentials(c: CanvasRenderingContext2D): void {
        const clustering = Number(byId<HTMLInputElement>('clustering').value) || 0;
        for (let y = 0; y < this.height; y++) {
            for (let x = 0; x < this.width; x++) {
                let p = 1;
                for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]] as const) {
                    const inside = x + dx >= 0 && y + dy >= 0 && x + dx < this.width && y + dy < this.height;
                    p += inside && this.isBlocked(x + dx, y + dy) ? (dx !== 0 && dy !== 0 ? 1 : 2) * clustering : 0;
                }
                if (p > 1 && !this.isBlocked(x, y)) {
                    c.fillStyle = `rgba(230,159,0,${(0.08 + (0.8 * p) / (1 + 12 * clustering)).toFixed(3)})`;
                    c.fillRect(x, y, 1, 1);
                }
            }
        }
    }

    private drawPath(c: CanvasRenderingContext2D, path: LabPath, colour: string): void {
        c.strokeStyle = colour;
        c.lineWidth = 3 / this.scale;
        c.lineJoin = 'round';
        c.setLineDash(this.isStale ? [6 / this.scale, 5 / this.scale] : []);
        c.beginPath();
        path.points.forEach(([x, y], i) => (i === 0 ? c.moveTo(x!, y!) : c.lineTo(x!, y!)));
        c.stroke();
        c.setLineDash([]);
    }

    private drawEnd(c: CanvasRenderingContext2D, at: number[] | null, colour: string, word: string): void {
        if (!at) {
            return;
        }
        const r = 9 / this.scale;
        c.fillStyle = colour;
        c.beginPath();
        c.arc(at[0]!, at[1]!, r, 0, 2 * Math.PI);
        c.fill();
        c.fillStyle = '#fff';
        c.font = `600 ${12 / this.scale}px system-ui, sans-serif`;
        c.textAlign = 'center';
        c.textBaseline = 'middle';
        c.fillText(word, at[0]!, at[1]! + 0.5 / this.scale);
    }

    // ---- left: tools and maps ----

    private controls(): void {
        const side = byId('side');
        side.replaceChildren();
        heading(side, 'Tools');
        this.setTool = choice(side, [], ['draw', 'erase', 'start', 'goal', 'move'], 'draw', (w) => (this.tool = w as Tool));
        choice(side, ['brush'], BRUSHES, String(this.brush), (w) => (this.brush = Number(w)));
        choice(side, ['ends snap to'], [...SNAPS], this.snap, (w) => (this.snap = w as typeof this.snap));
        side.append(el('div', { class: 'row' }, el('span'),
            el('button', { id: 'undo', title: 'undo (u)', click: () => void this.undo() }, 'Undo'),
            el('button', { title: 'the whole map (r)', click: () => this.fit() }, 'Fit')));
        this.mapForms(side);
        this.fileForms(side);
        heading(side, 'Overlays');
        for (const word of OVERLAYS) {
            const input = el('input', { type: 'checkbox', name: word, change: () => {
                this.overlays[input.checked ? 'add' : 'delete'](word);
                if (word === 'visibility graph' && input.checked) {
                    void this.fetchPairs();
                }
                this.draw();
            } });
            side.append(el('label', { class: 'row' }, el('span', {}, word), input));
        }
    }

    private number(id: string, value: string, title: string): HTMLInputElement {
        return el('input', { type: 'number', id, value, title, style: 'width:62px' });
    }

    private mapForms(side: HTMLElement): void {
        heading(side, 'New map');
        const width = this.number('width', '32', 'cells'), height = this.number('height', '32', 'cells');
        side.append(el('div', { class: 'row' }, el('span', {}, width, ' × ', height),
            el('button', { id: 'new', click: () => void this.renew('lab_new', { width: Number(width.value), height: Number(height.value) }) }, 'Empty')));
        const size = this.number('size', '64', 'cells along an edge'), coverage = this.number('coverage', '20', 'blocked, percent');
        const clustering = this.number('clustering', '4', 'how blocked cells crowd'), seed = this.number('seed', '1', 'the same seed makes the same map');
        clustering.addEventListener('input', () => this.draw());
        const row = (word: string, input: HTMLElement): HTMLElement => el('div', { class: 'row' }, el('span', {}, word), input);
        side.append(row('size', size), row('coverage, %', coverage), row('clustering', clustering), row('seed', seed),
            el('div', { class: 'row' }, el('span'), el('button', { id: 'generate', click: () => void this.renew('lab_generate', {
                size: Number(size.value), coverage: Number(coverage.value), clustering: Number(clustering.value), seed: Number(seed.value) }) }, 'Generate')));
    }

    private fileForms(side: HTMLElement): void {
        heading(side, 'Files');
        const file = el('input', { type: 'file', id: 'file', accept: '.json,.map', hidden: '', change: () => void this.load(file) });
        side.append(file, el('div', { class: 'row tight' }, el('span'),
            el('button', { click: () => file.click() }, 'Load'),
            el('button', { id: 'save-lab', title: 'map and ends', click: () => void this.save('lab', 'octant-lab.json') }, 'Save'),
            el('button', { id: 'save-paths', title: 'with paths and statistics', click: () => void this.save('paths', 'octant-lab.json') }, '+ paths'),
            el('button', { id: 'save-map', click: () => void this.save('map', 'octant-lab.map') }, '.map')),
            el('div', { id: 'lab-message', class: 'bad', role: 'alert' }));
    }

    private async load(input: HTMLInputElement): Promise<void> {
        const text = await input.files?.[0]?.text();
        input.value = '';
        if (text === undefined) {
            return;
        }
        const bytes = (piece: string): number => new TextEncoder().encode(piece).length;
        let offset = 0;
        for (let at = 0; at + PIECE < text.length; at += PIECE) {
            const piece = text.slice(at, at + PIECE);
            await this.link.ask('lab_load', { item: this.item, offset, text: piece });
            offset += bytes(piece);
        }
        const rest = text.slice(Math.floor(Math.max(text.length - 1, 0) / PIECE) * PIECE);
        await this.renew('lab_load', { offset, text: rest, last: true });
    }

    private ends(): Record<string, unknown> {
        return { ...(this.start && this.goal ? { from: this.start, to: this.goal } : {}), squeeze: this.squeeze };
    }

    private async save(kind: string, name: string): Promise<void> {
        try {
            const answer = await this.link.ask<Binary>('lab_file', { item: this.item, kind, ...this.ends() });
            download(name, URL.createObjectURL(new Blob([answer.bytes.slice()])));
            this.say('');
        } catch (error) {
            this.say((error as Error).message);
        }
    }

    private async fetchPairs(): Promise<void> {
        const answer = await this.link.ask<Binary>('lab_sees', { item: this.item });
        this.pairs = new Int32Array(answer.bytes.slice().buffer);
        toast(answer.second ? `${answer.first} corners, ${this.pairs.length / 4} pairs in sight`
            : `the first ${answer.first} corners alone, ${this.pairs.length / 4} pairs in sight`);
        this.draw();
    }

    // ---- right: algorithms and what they found ----

    private nameOf(path: LabPath): string {
        return path.name ?? [path.algorithm, path.graph === 'blocks' ? '' : path.graph, path.variant].filter((w) => w !== '').join(':');
    }

    async run(): Promise<void> {
        if (!this.start || !this.goal || this.running) {
            this.say(this.running ? '' : 'place start and goal first');
            return;
        }
        this.running = true;
        toast('searching …');
        try {
            this.take(await this.link.ask<LabFacts>('lab_run', { item: this.item, algorithms: this.chosen.join(','), ...this.ends() }));
            this.say('');
            toast(`${this.paths.length} algorithms`);
        } catch (error) {
            this.say((error as Error).message);
            toast('');
        }
        this.running = false;
        this.draw();
    }

    private table(): void {
        const side = byId('table');
        side.hidden = false;
        side.style.width = '500px';
        side.replaceChildren();
        heading(side, 'Algorithms');
        this.picker(side);
        const list = el('div', { class: 'chips' });
        this.chosen.forEach((word, i) => list.append(el('span', { class: 'chip' }, el('i', { class: 'key', style: `background:${ways[i % ways.length]}` }),
            word, el('button', { title: `without ${word}`, click: () => this.choose(this.chosen.filter((w) => w !== word)) }, '×'))));
        const squeeze = el('input', { type: 'checkbox', id: 'squeeze', change: () => {
            this.squeeze = squeeze.checked;
            address.set('squeeze', squeeze.checked ? '1' : '');
        } });
        squeeze.checked = this.squeeze;
        side.append(list, el('div', { class: 'row' }, el('label', { title: 'pass between blocked cells that meet in a corner' }, squeeze, ' squeeze'),
            el('button', { id: 'usual', title: 'the twelve of octant lab', click: () => this.choose(this.facts.usual) }, 'the usual'),
            el('button', { id: 'run', title: 'run (Enter)', click: () => void this.run() }, 'Run')));
        if (this.paths.length > 0) {
            this.results(side);
        }
        this.batch.form(side);
    }

    private choose(words: string[]): void {
        this.chosen = words;
        address.set('algorithms', words.join(','));
        this.table();
    }

    // One algorithm, its graph, its heuristic; of blocks the database.
    private picker(side: HTMLElement): void {
        const options = (words: string[]): HTMLOptionElement[] => words.map((w) => el('option', { value: w }, w));
        const algorithm = el('select', { id: 'algorithm', 'aria-label': 'algorithm' }, ...options(this.facts.algorithms.map((a) => a.name)));
        const graph = el('select', { id: 'graph', 'aria-label': 'graph' });
        const heuristic = el('select', { id: 'heuristic', 'aria-label': 'heuristic' }, ...options(['its own heuristic', ...this.facts.heuristics.filter((h) => h !== 'default')]));
        const edge = el('select', { 'aria-label': 'edge of a block' }, ...options(['4', '3', '2']));
        const kind = el('select', { 'aria-label': 'database' }, ...options(['plain', 'semi', 'full']));
        const packed = el('select', { 'aria-label': 'packed or not' }, ...options(['packed', 'unpacked']));
        const show = (): void => {
            const graphs = this.facts.algorithms.find((a) => a.name === algorithm.value)?.graphs ?? [];
            graph.replaceChildren(...options(graphs.flatMap((g) => (g === 'visibility' ? [g, 'visibility-lazy'] : [g]))));
            const isBlock = graph.value === 'blocks';
            [edge, kind, packed].forEach((e) => (e.hidden = !isBlock));
            graph.hidden = heuristic.hidden = isBlock;
        };
        algorithm.onchange = show;
        algorithm.value = 'astar';
        show();
        const add = (): void => {
            const word = graph.value === 'blocks' ? ['block', edge.value, kind.value, packed.value].join(':')
                : [algorithm.value, graph.value, ...(heuristic.selectedIndex > 0 ? [heuristic.value] : [])].join(':');
            if (!this.chosen.includes(word)) {
                this.choose([...this.chosen, word]);
            }
        };
        side.append(el('div', { class: 'row pick' }, el('span', {}, algorithm, ' ', graph, heuristic, edge, kind, packed),
            el('button', { id: 'add', click: add }, 'Add')));
    }

    private results(side: HTMLElement): void {
        heading(side, this.isStale ? 'Paths (of the map or the ends before)' : 'Paths');
        const number = (n: number | null | undefined, digits = 0): string =>
            n === null || n === undefined ? '' : n.toLocaleString('en', { maximumFractionDigits: digits });
        const found = this.paths.filter((p) => p.status === 'found' && p.length !== null);
        const optimum = this.paths.find((p) => p.optimum)?.optimum ?? null;
        const head = ['', 'algorithm', 'length', '+%', 'turn', 'graph', 'path', 'nodes', 'sights'];
        side.append(el('table', { id: 'results' }, el('thead', {}, el('tr', {}, ...head.map((w, i) => el('th', i > 1 ? { class: 'n' } : {}, w)))),
            el('tbody', {}, ...this.paths.map((p, i) => {
                const name = this.nameOf(p), isFound = p.status === 'found';
                const show = el('input', { type: 'checkbox', 'aria-label': `show ${name}`, change: () => {
                    this.hidden[show.checked ? 'delete' : 'add'](name);
                    this.draw();
                } });
                show.checked = !this.hidden.has(name);
                const over = isFound && optimum && p.length ? `${(100 * (p.length / optimum - 1)).toFixed(2)}` : '';
                const cells = isFound ? [number(p.length, 3), over, `${number(p.turning)}°`] : [p.status === 'none' ? 'no path' : p.status, '', ''];
                return el('tr', isFound ? {} : { class: 'none' }, el('td', {}, show),
                    el('td', { title: p.graphNodes === null ? '' : `graph: ${short(p.graphNodes)} nodes, ${short(p.graphEdges ?? 0)} edges` },
                        el('i', { class: 'key', style: `background:${ways[i % ways.length]}` }), name),
                    ...[...cells, !p.graphUs ? '–' : time(p.graphUs), p.pathUs === null ? '' : time(p.pathUs),
                        number(p.nodes ?? p.expanded), number(p.sightChecks)].map((w) => el('td', { class: 'n' }, w)));
            }))));
        if (found.length === 0) {
            side.append(el('div', { id: 'no-path', class: 'bad' }, 'There is no path from start to goal.'));
        } else if (optimum) {
            side.append(el('div', { class: 'dim' }, `the shortest: ${optimum.toFixed(3)} cells`));
        }
    }

    key(event: KeyboardEvent): boolean {
        const tool = (word: Tool) => () => { this.tool = word; this.setTool(word); };
        const found: Record<string, () => void> = {
            b: tool('draw'), e: tool('erase'), s: tool('start'), g: tool('goal'), m: tool('move'),
            u: () => void this.undo(), r: () => this.fit(), Enter: () => void this.run(),
        };
        found[event.key]?.();
        return found[event.key] !== undefined;
    }

    recolour(): void {
        this.draw();
    }

    state(): Record<string, unknown> {
        let blocked = 0;
        this.rows.forEach((b) => (blocked += b));
        return { width: this.width, height: this.height, blocked, start: this.start, goal: this.goal, running: this.running,
            stale: this.isStale, undo: this.undone.length, message: this.message, pairs: (this.pairs?.length ?? 0) / 4,
            scale: this.scale, offset: this.offset, chosen: this.chosen, hidden: [...this.hidden],
            paths: this.paths.map((p) => ({ name: this.nameOf(p), status: p.status, length: p.length, points: p.points.length })),
            batch: this.batch.state() };
    }
}
