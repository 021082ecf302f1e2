// SPDX-License-Identifier: MIT
// A batch: the runs of `octant lab`, map by map, as CSV rows that can be stopped and resumed.
import type { Link } from './link';
import { download, el, heading } from './ui';

interface Answer {
    header: string;
    rows: string;
    maps: number;
    count: number;
    perMap: number;
}

interface Form {
    sizes: string;
    coverages: string;
    clusterings: string;
    maps: number;
    tasks: number;
    seed: number;
}

export class Batch {
    private readonly values: Record<string, string> = { sizes: '32', coverages: '10,20', clusterings: '4', maps: '2', tasks: '5', seed: '1' };
    private header = '';
    private rows = '';
    private done = 0; // maps
    private maps = 0;
    private perMap = 0; // rows
    private isRunning = false;
    private plan = ''; // that the rows are of
    private message = '';
    private readonly told = el('div', { id: 'batch-told', class: 'dim' });

    constructor(private readonly link: Link, private readonly item: number, private readonly chosen: () => { algorithms: string; squeeze: boolean }) {}

    private ask(): Form & { algorithms: string; squeeze: boolean } {
        const v = this.values;
        return { sizes: v['sizes']!, coverages: v['coverages']!, clusterings: v['clusterings']!, maps: Number(v['maps']),
            tasks: Number(v['tasks']), seed: Number(v['seed']), ...this.chosen() };
    }

    form(side: HTMLElement): void {
        heading(side, 'Batch to CSV');
        const grid = el('div', { class: 'grid' });
        for (const key of Object.keys(this.values)) {
            const input = el('input', { id: `batch-${key}`, value: this.values[key]!, input: () => (this.values[key] = input.value) });
            grid.append(el('label', {}, key, input));
        }
        const file = el('input', { type: 'file', id: 'batch-file', accept: '.csv', hidden: '', change: () => void this.resumeFile(file) });
        side.append(grid, file, el('div', { class: 'row tight' }, this.told,
            el('button', { id: 'batch-run', title: 'from the first map', click: () => void this.run(false) }, 'Run'),
            el('button', { id: 'batch-stop', click: () => (this.isRunning = false) }, 'Stop'),
            el('button', { id: 'batch-resume', title: 'go on where it stopped', click: () => void this.run(true) }, 'Resume'),
            el('button', { title: 'go on with a file', click: () => file.click() }, '…'),
            el('button', { id: 'batch-csv', click: () => this.save() }, 'CSV')));
        this.tell();
    }

    private tell(): void {
        this.told.textContent = this.message || (this.maps > 0
            ? `${this.done} of ${this.maps} maps, ${this.done * this.perMap} rows${this.isRunning ? '' : this.done < this.maps ? ', stopped' : ', done'}` : '');
    }

    async run(resume: boolean): Promise<void> {
        const plan = JSON.stringify(this.ask());
        if (this.isRunning) {
            return;
        }
        this.message = '';
        if (!resume || plan !== this.plan) {
            if (resume && this.done > 0) {
                this.message = 'the rows are of other maps or algorithms';
                this.tell();
                return;
            }
            this.rows = '';
            this.done = 0;
        }
        this.plan = plan;
        this.isRunning = true;
        try {
            do {
                const answer = await this.link.ask<Answer>('lab_batch', { item: this.item, index: this.done, ...this.ask() });
                this.header = answer.header;
                this.maps = answer.maps;
                this.perMap = answer.perMap;
                if (this.done < this.maps) {
                    this.rows += answer.rows;
                    this.done++;
                }
                this.tell();
            } while (this.isRunning && this.done < this.maps);
        } catch (error) {
            this.message = (error as Error).message;
        }
        this.isRunning = false;
        this.tell();
    }

    // Goes on with rows of a file: whole maps of it count, and must be those of this form.
    private async resumeFile(input: HTMLInputElement): Promise<void> {
        const text = await input.files?.[0]?.text();
        input.value = '';
        if (text === undefined) {
            return;
        }
        try {
            const first = await this.link.ask<Answer>('lab_batch', { item: this.item, index: 0, ...this.ask() });
            const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n').slice(0, -1);
            const names = (rows: string[]): string => rows.map((r) => r.split(',').slice(0, 15).join()).join('\n');
            const known = first.rows.split('\n').slice(0, -1);
            const whole = Math.floor((lines.length - 1) / first.perMap);
            const fits = `${lines[0]}\n` === first.header && (whole === 0 || names(lines.slice(1, 1 + first.count)) === names(known));
            if (!fits) {
                throw new Error('the file has rows of other maps or algorithms');
            }
            this.plan = JSON.stringify(this.ask());
            this.done = whole;
            this.rows = lines.slice(1, 1 + whole * first.perMap).map((l) => `${l}\n`).join('');
            this.message = '';
        } catch (error) {
            this.message = (error as Error).message;
            this.tell();
            return;
        }
        await this.run(true);
    }

    csv(): string {
        return this.header + this.rows;
    }

    private save(): void {
        download('octant-lab.csv', URL.createObjectURL(new Blob([this.csv()], { type: 'text/csv' })));
    }

    state(): Record<string, unknown> {
        return { running: this.isRunning, done: this.done, maps: this.maps, rows: this.rows.split('\n').length - 1, message: this.message, csv: this.csv() };
    }
}
