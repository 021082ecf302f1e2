// SPDX-License-Identifier: MIT
// The bar below: play, a slider over time, and how fast.
import * as address from './address';
import { byId, el } from './ui';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 50, 100];

export class Player {
    at = 0; // seconds
    isPlaying = false;
    private speed = 1;
    private readonly button: HTMLButtonElement;
    private readonly range: HTMLInputElement;
    private readonly clock = el('span', { class: 'dim', style: 'min-width:110px' });

    constructor(private readonly seconds: number, private readonly show: (at: number) => void) {
        this.button = el('button', { id: 'play', click: () => this.play(!this.isPlaying) }, 'Play');
        this.range = el('input', { type: 'range', id: 'scrub', min: '0', max: String(seconds), step: '0.01', value: '0',
            'aria-label': 'time', input: () => { this.play(false); this.set(Number(this.range.value)); } });
        const speed = el('select', { 'aria-label': 'speed', change: () => (this.speed = Number(speed.value)) },
            ...SPEEDS.map((s) => el('option', { value: String(s) }, `${s}×`)));
        speed.value = '1';
        byId('time').hidden = false;
        byId('time').replaceChildren(el('div', { class: 'row' }, this.button, this.clock, this.range, speed));
    }

    set(at: number): void {
        this.at = Math.min(Math.max(at, 0), this.seconds);
        this.range.value = String(this.at);
        this.clock.textContent = `${this.at.toFixed(1)} of ${this.seconds.toFixed(1)} s`;
        this.show(this.at);
    }

    play(on: boolean): void {
        if (on && this.at >= this.seconds) {
            this.set(0);
        }
        this.isPlaying = on;
        this.button.textContent = on ? 'Stop' : 'Play';
        if (!on) {
            address.set('at', this.at.toFixed(2));
        }
        this.show(this.at);
    }

    // True while frames are to follow each other.
    step(passed: number): boolean {
        if (!this.isPlaying) {
            return false;
        }
        this.set(this.at + passed * this.speed);
        if (this.at >= this.seconds) {
            this.play(false);
        }
        return this.isPlaying;
    }

    key(event: KeyboardEvent): boolean {
        const step = event.shiftKey ? 10 : 1;
        const found: Record<string, () => void> = {
            ' ': () => this.play(!this.isPlaying), ArrowLeft: () => this.set(this.at - step), ArrowRight: () => this.set(this.at + step),
        };
        found[event.key]?.();
        return found[event.key] !== undefined;
    }
}
